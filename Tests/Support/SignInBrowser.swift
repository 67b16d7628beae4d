internal import AlmanacPOSIX

/// A user with a browser, at the real identity provider of the tests.
public enum SignInBrowser {
    /// The URL of the identity provider that runs for the tests.
    public static var issuer: String {
        get throws {
            guard let issuer = Process.variable("ALMANAC_TEST_OIDC") else {
                throw InstanceFailure(
                    description: "ALMANAC_TEST_OIDC is not set: these tests need an identity provider, run deploy/test")
            }
            return issuer
        }
    }

    /// Opens the sign-in page and submits a password.
    ///
    /// - Returns: the URL that the provider redirects the browser to.
    public static func signIn(
        at page: String, user: String = "alice", password: String = "wonderland"
    ) throws -> String {
        let issuer = try issuer
        let client = HTTPClient(base: issuer, caFile: nil)
        let form = try client.send("GET", String(page.dropFirst(issuer.utf8.count)))
        guard form.status == 200, let cookie = form.header("Set-Cookie")?.split(separator: ";").first,
            let transaction = form.text.firstMatch(of: /name="transaction_id" value="([^"]+)"/)?.output.1
        else { throw InstanceFailure(description: "no login page: \(form.status) \(form.text.prefix(300))") }
        let fields = "transaction_id=\(transaction)&username=\(user)&password=\(password)"
        let answer = try client.send(
            "POST", "/authorize", headers: [("Cookie", String(cookie))], body: Array(fields.utf8),
            contentType: "application/x-www-form-urlencoded")
        guard answer.status == 302, let location = answer.header("Location") else {
            throw InstanceFailure(description: "not signed in: \(answer.status)")
        }
        return location
    }

    /// Opens the page for device codes, and submits a code with a user's password or a refusal.
    public static func answer(_ page: String, code: String, isRefusal: Bool = false) throws {
        let issuer = try issuer
        guard page.hasPrefix(issuer + "/") else {
            throw InstanceFailure(description: "the page is not of this provider: \(page)")
        }
        let client = HTTPClient(base: issuer, caFile: nil)
        let path = String(page.dropFirst(issuer.utf8.count).prefix { $0 != "?" })
        let fields = "user_code=\(code)&username=alice&password=wonderland&action=\(isRefusal ? "deny" : "authorize")"
        let answer = try client.send(
            "POST", path, body: Array(fields.utf8), contentType: "application/x-www-form-urlencoded")
        guard answer.status == 200 else { throw InstanceFailure(description: "not answered: \(answer.status)") }
    }

    /// Requests a URL on this machine.
    ///
    /// - Returns: the status.
    @discardableResult
    public static func open(_ address: String) throws -> Int {
        guard let base = address.prefixMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)?.output else {
            throw InstanceFailure(description: "the address is not on this machine: \(address)")
        }
        return try HTTPClient(base: String(base), caFile: nil).send("GET", String(address.dropFirst(base.count))).status
    }
}
