/// Where the access tokens of a user, or of an app, come from. `SignInSession` is one.
public protocol TokenProvider: Sendable {
    /// A token that is good for some time yet.
    ///
    /// - Parameter refused: a token that the server did not take, so that another one is wanted; nil at first. When the
    ///   same comes again, the user has to sign in.
    /// - Throws: ``SignInRequired`` when there is no way but signing in; what else it throws is tried again later.
    func accessToken(replacing refused: String?) async throws -> String
}

/// There is no way to a token but that the user signs in.
public struct SignInRequired: Error, Hashable, CustomStringConvertible {
    /// How it came to that.
    public enum Reason: Sendable {
        /// Nobody is signed in.
        case signedOut
        /// Somebody was, and the server or the provider takes their tokens no more.
        case ended
    }

    /// How it came to that.
    public let reason: Reason

    /// By default a sign-in that has ended.
    public init(_ reason: Reason = .ended) {
        self.reason = reason
    }

    /// What the user has to do, and why.
    public var description: String {
        switch reason {
        case .signedOut: "nobody is signed in"
        case .ended: "sign in again: the sign-in has expired, was ended, or its refresh token was used twice"
        }
    }
}

/// One token for good: an API token, or a test's.
public struct FixedToken: TokenProvider {
    private let token: String

    /// A token that is good for as long as the server takes it.
    public init(_ token: String) {
        self.token = token
    }

    /// The token, also in place of itself.
    public func accessToken(replacing refused: String?) async throws -> String { token }
}

/// One end user: a subject of an issuer, as in an ID token.
public struct UserAccount: Sendable, Hashable, Codable {
    /// The OpenID Connect provider, exactly as it calls itself.
    public let issuer: String
    /// The claim `sub`, which the provider gives to nobody else.
    public let subject: String

    /// An account as an ID token names it.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
