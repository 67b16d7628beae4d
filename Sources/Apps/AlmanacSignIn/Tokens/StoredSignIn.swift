#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A stored sign-in.
public struct StoredSignIn: Sendable, Hashable, Codable {
    /// The signed-in user.
    public let account: UserAccount
    /// The app that signed in. Another app cannot use the refresh token.
    public let clientID: String
    /// The tokens; nil if the user has to sign in again.
    public var tokens: TokenSet?

    /// Creates a sign-in, for a token storage or a test.
    public init(account: UserAccount, clientID: String, tokens: TokenSet?) {
        self.account = account
        self.clientID = clientID
        self.tokens = tokens
    }
}

/// The tokens of a sign-in. Their description does not contain them.
public struct TokenSet: Sendable, Hashable, Codable {
    /// The token for requests to the server.
    public let accessToken: String
    /// The access token's expiry; nil if the provider sent none.
    public let expiresAt: Date?
    /// The token for the next refresh, valid once; nil if the provider sent none.
    public let refreshToken: String?

    /// Creates tokens, for a token storage or a test.
    public init(accessToken: String, expiresAt: Date?, refreshToken: String?) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }

    func isFresh(at now: Date, leeway: Duration) -> Bool {
        guard let expiresAt else { return true }
        return expiresAt.timeIntervalSince(now) > leeway / .seconds(1)
    }
}

extension TokenSet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "tokens" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
