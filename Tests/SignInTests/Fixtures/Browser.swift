import Foundation
import POSIX
import Support

/// A user with a browser at the real provider of the tests.
struct Browser {
    /// The provider that runs for the tests.
    static var issuer: String {
        get throws {
            guard let issuer = POSIX.Process.variable("ALMANAC_TEST_OIDC") else {
                throw BrowserFailure(
                    description: "ALMANAC_TEST_OIDC is not set: these tests need an identity provider, run deploy/test")
            }
            return issuer
        }
    }

    /// Opens the sign-in page and types a password.
    ///
    /// - Returns: where the provider sends the browser then.
    static func signIn(at page: URL, user: String = "alice", password: String = "wonderland") async throws -> URL {
        let issuer = try issuer
        return try await onThread {
            let client = HTTPClient(base: issuer, caFile: nil)
            let form = try client.send("GET", String(page.absoluteString.dropFirst(issuer.utf8.count)))
            guard form.status == 200, let cookie = form.header("Set-Cookie")?.split(separator: ";").first,
                let transaction = form.text.firstMatch(of: /name="transaction_id" value="([^"]+)"/)?.output.1
            else { throw BrowserFailure(description: "no login page: \(form.status) \(form.text.prefix(300))") }
            let fields = "transaction_id=\(transaction)&username=\(user)&password=\(password)"
            let answer = try client.send(
                "POST", "/authorize", headers: [("Cookie", String(cookie))], body: Array(fields.utf8),
                contentType: "application/x-www-form-urlencoded")
            guard answer.status == 302, let location = answer.header("Location").flatMap({ URL(string: $0) }) else {
                throw BrowserFailure(description: "not signed in: \(answer.status)")
            }
            return location
        }
    }

    /// Follows an address on this machine.
    ///
    /// - Returns: the status.
    @discardableResult
    static func open(_ url: URL) async throws -> Int {
        try await onThread {
            let base = "http://127.0.0.1:\(url.port ?? 0)"
            return try HTTPClient(base: base, caFile: nil).send(
                "GET", String(url.absoluteString.dropFirst(base.utf8.count))
            ).status
        }
    }
}

struct BrowserFailure: Error, CustomStringConvertible {
    let description: String
}
