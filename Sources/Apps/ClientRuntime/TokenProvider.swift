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
    public enum Reason: Sendable {
        /// Nobody is signed in.
        case signedOut
        /// Somebody was, and the server or the provider takes their tokens no more.
        case ended
    }

    public let reason: Reason

    public init(_ reason: Reason = .ended) {
        self.reason = reason
    }

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

    public init(_ token: String) {
        self.token = token
    }

    public func accessToken(replacing refused: String?) async throws -> String { token }
}

/// One end user: a subject of an issuer, as in an ID token.
public struct UserAccount: Sendable, Hashable, Codable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
