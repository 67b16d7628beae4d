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
    /// What there was before.
    public enum Reason: Sendable {
        /// Nobody is signed in.
        case signedOut
        /// Somebody was, and the server or the provider takes their tokens no more.
        case ended
    }

    /// Tells an app whether to greet a newcomer or to ask a user back.
    public let reason: Reason

    /// For token providers of an app's own.
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

/// Why there is no token at the moment.
package enum TokenFailure: Error {
    case signInRequired
    case timedOut
    case unavailable(String)
}

extension TokenProvider {
    /// A token, if it comes in time.
    package func accessToken(
        replacing refused: String?, within limit: Duration, clock: any ClientClock
    ) async throws(TokenFailure) -> String {
        do {
            return try await clock.withTimeout(limit) { try await self.accessToken(replacing: refused) }
        } catch TransportFailure.timedOut {
            throw .timedOut
        } catch is SignInRequired {
            throw .signInRequired
        } catch {
            throw .unavailable("there is no token: \(error)")
        }
    }
}

/// One token for good: an API token, or a test's.
public struct FixedToken: TokenProvider {
    private let token: String

    /// Gives this token to whoever asks.
    public init(_ token: String) {
        self.token = token
    }

    /// The same token each time, refused or not.
    public func accessToken(replacing refused: String?) async throws -> String { token }
}

/// One end user: a subject of an issuer, as in an ID token.
public struct UserAccount: Sendable, Hashable, Codable {
    /// The provider, exactly as it calls itself.
    public let issuer: String
    /// What the provider calls the user, now and later; no name to show.
    public let subject: String

    /// Names a user as the claims `iss` and `sub` do.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
