/// A sign-in as it is stored.
public struct StoredSignIn: Sendable, Hashable, Codable {
    public let account: Account
    /// The app that signed in: another one cannot use the refresh token.
    public let clientID: String
    /// Nil when the user has to sign in again.
    public var tokens: TokenSet?

    public init(account: Account, clientID: String, tokens: TokenSet?) {
        self.account = account
        self.clientID = clientID
        self.tokens = tokens
    }
}
