import AlmanacTestSupport
import Foundation

/// A user's browser at the tests' real provider.
struct Browser {
    static var issuer: String { get throws { try SignInBrowser.issuer } }

    /// Opens the sign-in page and enters a password.
    ///
    /// - Returns: the URL to which the provider redirects the browser.
    static func signIn(at page: URL) async throws -> URL {
        let location = try await onThread { try SignInBrowser.signIn(at: page.absoluteString) }
        guard let url = URL(string: location) else { throw InstanceFailure(description: "no address: \(location)") }
        return url
    }

    /// Opens a URL on this machine.
    ///
    /// - Returns: the status.
    @discardableResult
    static func open(_ url: URL) async throws -> Int {
        try await onThread { try SignInBrowser.open(url.absoluteString) }
    }
}
