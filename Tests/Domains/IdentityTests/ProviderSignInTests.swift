import AlmanacEnvironments
import AlmanacHTTP
import AlmanacHTTPSClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacIdentity

/// Tests signing in at a real identity provider, from the login page to the session.
@Suite(.database(.migrated)) struct ProviderSignInTests {
    private func host() throws -> SessionFixture {
        let issuer = try #require(WebAddress(try SignInBrowser.issuer))
        // The values match the provider's `settings.yaml` and `users.yaml`.
        return try SessionFixture(
            identity: .provider(issuer: issuer, audience: "https://notes.example.com", caFile: nil),
            signIn: SignInClient(
                id: "almanac-pages", secret: ClientSecret(text: "only-for-tests-on-loopback"), scopes: []),
            operators: [
                OperatorClaim(name: "groups", values: ["admin": ["ops"], "config:write:app.*": ["ops", "dev"]])
            ])
    }

    @Test func `an operator signs in with the scopes of their groups, and comes back to where they were`() throws {
        let host = try host()
        let browser = PageBrowser(host)
        let login = try browser.login("?return=/staging/entries/app.theme?tab=json")
        #expect(login.status == 303 && login.response.header("Cache-Control") == "no-store")
        let back = try browser.callback(try browser.provider(login))
        #expect(back.status == 303)
        #expect(back.response.header("Location") == "/#/staging/entries/app.theme?tab=json")
        let session = try host.send(with: try #require(browser.cookie(of: back)))
        #expect(session["name"] == "alice" && session["kind"] == "user")
        #expect(
            session["scopes"]
                == .array(["admin", "config:propose", "config:read", "config:write", "config:write:app.*"]))
        #expect(try host.audit == ["session.signed_in alice user provider"])
        // The attempt must leave neither a row nor a cookie.
        #expect(try browser.attempts == 0)
        #expect(back.response.headers.bytes.firstRange(of: Array("__Host-almanac-staging.login=;".utf8)) != nil)
    }

    @Test func `a user of whom the claim says nothing is no operator, and has notes all the same`() throws {
        let host = try host()
        let console = PageBrowser(host)
        let back = try console.callback(try console.provider(try console.login(), user: "bob", password: "builder"))
        #expect(back.response.header("Location") == "/#/staging/sign-in?problem=scope-too-small")
        #expect(console.cookie(of: back) == nil)
        #expect(try host.count == 0)

        let notes = PageBrowser(host, at: .notes)
        let there = try notes.callback(try notes.provider(try notes.login(), user: "bob", password: "builder"))
        let cookie = try #require(notes.cookie(of: there))
        let session = try host.send(with: cookie, at: .notes)
        #expect(session["name"] == "bob" && session["scopes"] == .array([]))
        // At the notes pages, an operator has no scopes either.
        let ops = PageBrowser(host, at: .notes)
        let alice = try #require(ops.cookie(of: try ops.callback(try ops.provider(try ops.login()))))
        #expect(try host.send(with: alice, at: .notes)["scopes"] == .array([]))
    }

    @Test func `a fresh sign-in asks the user again, and replaces the session`() throws {
        let host = try host()
        let browser = PageBrowser(host)
        let first = try #require(browser.cookie(of: try browser.callback(try browser.provider(try browser.login()))))
        let login = try browser.login("?fresh=true", [("Cookie", first)])
        let page = try #require(login.response.header("Location"))
        #expect(page.contains("&max_age=0"))
        let back = try browser.callback(try browser.provider(login))
        let second = try #require(browser.cookie(of: back))
        #expect(try host.send(with: first).problem == "session-ended")
        #expect(try host.send(with: second).status == 200)
        #expect(try host.count == 1)
    }

    @Test func `the provider is asked with PKCE, state and nonce, and shown no secret`() throws {
        let host = try host()
        let browser = PageBrowser(host)
        let login = try browser.login()
        let page = try #require(login.response.header("Location"))
        let fields = PageBrowser.query(page)
        #expect(fields["response_type"] == "code" && fields["code_challenge_method"] == "S256")
        #expect(fields["client_id"] == "almanac-pages" && fields["scope"] == "openid")
        #expect(fields["redirect_uri"] == "https%3A%2F%2Fconsole.example.com%2Fstaging%2Fsession%2Fcallback")
        let attempt = try #require(browser.attempt)
        let secret = try #require(SessionSecret(String(attempt.split(separator: "=")[1])))
        #expect(fields["state"] == secret.derived(for: "state") && fields["nonce"] == secret.derived(for: "nonce"))
        #expect(fields["code_challenge"] != secret.derived(for: "verifier"))
        for value in fields.values { #expect(!value.contains(secret.text)) }
        #expect(
            login.response.header("Set-Cookie")?.hasSuffix("Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax")
                == true)
    }
}

/// A browser that follows redirects and stores the cookie of its sign-in attempt.
final class PageBrowser {
    private let host: SessionFixture
    private let application: Application
    /// The cookie of the pending attempt.
    var attempt: String?

    init(_ host: SessionFixture, at application: Application = .console) {
        self.host = host
        self.application = application
    }

    private var name: [(String, String)] { [("Host", "\(application).example.com")] }

    /// Starts a sign-in from a page.
    func login(_ query: String = "", _ headers: [(String, String)] = []) throws -> SessionResponse {
        let answer = try host.send(
            "GET", "/session/login\(query)", "", name + [("Sec-Fetch-Site", "same-origin")] + headers, at: application)
        attempt = answer.cookie
        return answer
    }

    /// Signs in at the real provider.
    ///
    /// - Returns: the query with which the provider redirects the browser back.
    func provider(_ login: SessionResponse, user: String = "alice", password: String = "wonderland") throws -> String {
        let page = try #require(login.response.header("Location"))
        let place = try SignInBrowser.signIn(at: page, user: user, password: password)
        try #require(place.hasPrefix("https://\(application).example.com/staging/session/callback?"), "\(place)")
        return String(place[try #require(place.firstIndex(of: "?"))...])
    }

    /// Returns from the provider with a query.
    func callback(_ query: String, _ headers: [(String, String)]? = nil) throws -> SessionResponse {
        let cookie = attempt.map { [("Cookie", $0)] } ?? []
        return try host.send(
            "GET", "/session/callback\(query)", "", name + [("Sec-Fetch-Site", "cross-site")] + (headers ?? cookie),
            at: application)
    }

    /// Returns the session cookie that a response sets, or nil.
    func cookie(of answer: SessionResponse) -> String? {
        answer.cookie.flatMap { $0.hasPrefix("__Host-almanac-staging=") ? $0 : nil }
    }

    /// The number of attempts in the database.
    var attempts: Int { get throws { try host.attempts } }

    /// Returns the parameters of a URL, not decoded.
    static func query(_ address: String) -> [String: String] {
        let pairs = (address.split(separator: "?").last ?? "").split(separator: "&").map { $0.split(separator: "=") }
        return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { $1 }
    }
}
