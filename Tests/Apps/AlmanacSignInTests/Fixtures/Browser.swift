import AlmanacTestSupport
import Foundation

/// A user with a browser at the real provider of the tests.
struct Browser {
    static var issuer: String {
        get throws { try SignInBrowser.issuer }
    }

    /// Opens the sign-in page and types a password.
    ///
    /// - Returns: where the provider sends the browser then.
    static func signIn(at page: URL) async throws -> URL {
        let location = try await onThread { try SignInBrowser.signIn(at: page.absoluteString) }
        guard let url = URL(string: location) else { throw InstanceFailure(description: "no address: \(location)") }
        return url
    }

    /// Follows an address on this machine.
    ///
    /// - Returns: the status.
    @discardableResult
    static func open(_ url: URL) async throws -> Int {
        try await onThread { try SignInBrowser.open(url.absoluteString) }
    }
}
