#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A sign-in as it is stored.
public struct StoredSignIn: Sendable, Hashable, Codable {
    /// Who has signed in.
    public let account: UserAccount
    /// The app that signed in: another one cannot use the refresh token.
    public let clientID: String
    /// Nil when the user has to sign in again.
    public var tokens: TokenSet?

    /// For storages, and for tests of an app.
    public init(account: UserAccount, clientID: String, tokens: TokenSet?) {
        self.account = account
        self.clientID = clientID
        self.tokens = tokens
    }
}

/// The tokens of a sign-in. They do not show when it is printed.
public struct TokenSet: Sendable, Hashable, Codable {
    /// What a server takes.
    public let accessToken: String
    /// When the access token ends; nil where the provider did not say.
    public let expiresAt: Date?
    /// Good for one refresh, which brings the next one; nil where the provider gave none.
    public let refreshToken: String?

    /// For storages, and for tests of an app.
    public init(accessToken: String, expiresAt: Date?, refreshToken: String?) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }

    /// Whether the access token is good for some time yet.
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
