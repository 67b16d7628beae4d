/// A source of access tokens for a user or an app. `SignInSession` is one.
public protocol TokenProvider: Sendable {
    /// Returns an access token that does not expire soon.
    ///
    /// - Parameter refused: the token that the server has just rejected, to be replaced; nil at first. If the provider
    ///   returns the rejected token again, the user has to sign in.
    /// - Throws: ``SignInRequired`` if the user has to sign in. After any other error the caller retries later.
    func accessToken(replacing refused: String?) async throws -> String
}

/// The error for a token that is unavailable until the user signs in.
public struct SignInRequired: Error, Hashable, CustomStringConvertible {
    /// The state before the error.
    public enum Reason: Sendable {
        /// No user is signed in.
        case signedOut
        /// The user was signed in, but the server or the provider no longer accepts the tokens.
        case ended
    }

    /// The reason, by which an app greets a new user or asks a known user to sign in again.
    public let reason: Reason

    /// Creates the error, for an app's own token provider.
    public init(_ reason: Reason = .ended) { self.reason = reason }

    public var description: String {
        switch reason {
        case .signedOut: "nobody is signed in"
        case .ended: "sign in again: the sign-in has expired, was ended, or its refresh token was used twice"
        }
    }
}

/// A failure to get an access token.
package enum TokenFailure: Error {
    case signInRequired
    case timedOut
    case unavailable(String)
}

extension TokenProvider {
    /// Returns an access token, or throws at the deadline.
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

/// A token that never changes, such as an API token or a test's token.
public struct FixedToken: TokenProvider {
    private let token: String

    /// Creates a provider that always returns this token.
    public init(_ token: String) { self.token = token }

    /// Returns the same token on every call, even if the server rejected it.
    public func accessToken(replacing refused: String?) async throws -> String { token }
}
