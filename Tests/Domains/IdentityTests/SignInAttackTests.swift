import AlmanacCryptography
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Tests sign-ins that the browser did not start or the identity provider did not confirm. All must be refused.
@Suite(.database(.migrated)) struct SignInAttackTests {
    @Test(arguments: [
        "https://evil.example/", "//evil.example/", #"/\evil.example"#, #"\\evil.example"#, "evil.example",
        "/staging\r\nSet-Cookie: a=b", "/staging\nx", "/\u{0}", "/ä", "javascript:alert(1)", "/a b", "/<script>",
        "", "/" + String(repeating: "a", count: 500),
    ])
    func `a sign-in leads back to nothing but a path of the page`(place: String) throws {
        let provider = try HostileProvider()
        let host = try SessionFixture(at: provider)
        let escaped = place.utf8.map { "%" + Hex.encode([$0]) }.joined()
        let answer = try PageBrowser(host).login("?return=\(escaped)")
        #expect(answer.status == 400 && answer.problem == "invalid-parameter")
        #expect(try host.attempts == 0)
    }

    @Test(arguments: ["evil.example/x", "a b", "evil.example\r\nx", "user@evil.example", "", "[::1]", "a:b"])
    func `a host that is none is not sent to the provider`(name: String) throws {
        let host = try SessionFixture(at: HostileProvider())
        let headers = [("Host", name), ("Sec-Fetch-Site", "same-origin")]
        #expect(try host.send("GET", "/session/login", "", headers).problem == "invalid-header")
    }

    @Test(arguments: ["cross-site", "same-site", "", nil]) func `another site begins no sign-in`(site: String?) throws {
        let host = try SessionFixture(at: HostileProvider())
        let headers = [("Host", "console.example.com")] + (site.map { [("Sec-Fetch-Site", $0)] } ?? [])
        #expect(try host.send("GET", "/session/login", "", headers).problem == "invalid-header")
        #expect(try host.attempts == 0)
    }

    @Test func `a link in a mail, or an address that is typed, leads to the page and begins no sign-in`() throws {
        let host = try SessionFixture(at: HostileProvider())
        let cookie = try host.signIn(host.token(.admin).text)
        let headers = [("Host", "console.example.com"), ("Sec-Fetch-Site", "none"), ("Cookie", cookie)]
        let answer = try host.send("GET", "/session/login?fresh=true", "", headers)
        #expect(answer.status == 303 && answer.response.header("Location") == "/#/staging/sign-in")
        #expect(answer.cookie == nil)
        #expect(try host.attempts == 0)
        #expect(try host.send(with: cookie).status == 200)
    }

    @Test func `a callback counts once, in the browser that began, and for what it began`() throws {
        let provider = try HostileProvider()
        let host = try SessionFixture(at: provider)
        let (mine, theirs) = (PageBrowser(host), PageBrowser(host))
        let (page, other) = (try mine.login(), try theirs.login())
        let query = try provider.signIn(try #require(page.response.header("Location")))
        let state = PageBrowser.query(try #require(other.response.header("Location")))["state"] ?? ""
        let expired = "/#/staging/sign-in?problem=sign-in-expired"
        let cookie = try #require(mine.attempt)
        for (query, headers) in [
            // Login CSRF: the attacker's code and state in the victim's browser, and in a browser without an attempt.
            ("?code=abc&state=\(state)", [("Cookie", cookie)]), (query, []),
            (query, [("Cookie", theirs.attempt ?? "")]),
            // A missing state, an empty state, and the cookie's value as the state.
            ("?code=abc", [("Cookie", cookie)]), ("?code=abc&state=", [("Cookie", cookie)]),
            ("?code=abc&state=\(cookie.split(separator: "=")[1])", [("Cookie", cookie)]),
            // The attempt's cookie twice, and as a session cookie.
            (query, [("Cookie", "\(cookie); \(cookie)")]),
            (query, [("Cookie", cookie.replacing(".login", with: ""))]),
        ] {
            let answer = try mine.callback(query, headers)
            #expect(answer.response.header("Location") == expired, "\(query) \(headers)")
            #expect(mine.cookie(of: answer) == nil)
        }
        #expect(try host.count == 0)
        // The valid callback still succeeds after all these, but only once.
        #expect(mine.cookie(of: try mine.callback(query)) != nil)
        #expect(try mine.callback(query).response.header("Location") == expired)
        #expect(try host.count == 1)
        // The pages of another application do not accept the attempt.
        let elsewhere = PageBrowser(host, at: .notes)
        elsewhere.attempt = theirs.attempt
        #expect(try elsewhere.callback("?code=abc&state=\(state)").response.header("Location") == expired)
    }

    @Test func `an attempt that took too long is over`() throws {
        let provider = try HostileProvider()
        let host = try SessionFixture(at: provider)
        let browser = PageBrowser(host)
        let query = try provider.signIn(try #require(browser.login().response.header("Location")))
        try host.observer.execute(script: "update login_attempts set expires_at = clock_timestamp() - interval '1 ms'")
        #expect(try browser.callback(query).response.header("Location") == "/#/staging/sign-in?problem=sign-in-expired")
    }

    @Test(arguments: [
        "error=access_denied", "error=server_error&error_description=x", "", "code=", "code=abc&iss=evil",
    ])
    func `a callback without a code lets nobody in`(query: String) throws {
        let provider = try HostileProvider()
        let host = try SessionFixture(at: provider)
        let browser = PageBrowser(host)
        let state = PageBrowser.query(try #require(browser.login().response.header("Location")))["state"] ?? ""
        let answer = try browser.callback("?state=\(state)&\(query)")
        #expect(answer.response.header("Location") == "/#/staging/sign-in?problem=sign-in-refused")
        #expect(try host.count == 0)
    }

    static let tokens: [(String, HostileProvider.Fault)] = [
        ("alg none", .header("alg", "none")), ("alg none, unsigned", .unsigned), ("HMAC", .header("alg", "HS256")),
        ("a key of another", .foreignKey), ("a key that is not published", .header("kid", "two")),
        ("crit", .header("crit", ["b64"])), ("no nonce", .claim("nonce", nil)), ("another nonce", .claim("nonce", "x")),
        ("another audience", .claim("aud", "https://notes.example.com")), ("no audience", .claim("aud", nil)),
        ("two audiences without azp", .claim("aud", ["almanac", "other"])), ("azp of another", .claim("azp", "other")),
        ("another issuer", .claim("iss", "https://evil.example/")), ("no issuer", .claim("iss", nil)),
        ("over", .claim("exp", 1_000_000_000)), ("no end", .claim("exp", nil)), ("no subject", .claim("sub", nil)),
        ("an access token", .claim("token_use", "access")), ("a logout token", .claim("events", [:])),
        ("of another time", .claim("auth_time", 1_000_000_000)), ("auth_time missing", .claim("auth_time", nil)),
    ]

    @Test(arguments: tokens) func `an ID token that is not for this sign-in lets nobody in`(
        name: String, fault: HostileProvider.Fault
    ) throws {
        let provider = try HostileProvider(fault)
        let host = try SessionFixture(at: provider)
        let browser = PageBrowser(host)
        let login = try browser.login("?fresh=true")
        let answer = try browser.callback(try provider.signIn(try #require(login.response.header("Location"))))
        #expect(answer.response.header("Location") == "/#/staging/sign-in?problem=sign-in-refused", "\(name)")
        #expect(browser.cookie(of: answer) == nil)
        #expect(try host.count == 0)
    }

    static let garbage: [(String, HostileProvider.Fault)] = [
        ("no JSON", .discovery(.response(body: "<html>".utf8))), ("500", .discovery(.response("500 No"))),
        ("another issuer", .discovery(.response(body: #"{"issuer":"https://evil.example/"}"#.utf8))),
        (
            "an address that is none",
            .discovery(.response(body: #"{"issuer":"x","authorization_endpoint":"javascript:alert(1)"}"#.utf8))
        ),
        ("a broken answer", .discovery(.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{".utf8)))),
        ("too much", .discovery(.response(body: [UInt8](repeating: 32, count: 300 << 10)))),
        ("the token endpoint: no JSON", .token(.response(body: "<html>".utf8))),
        ("the token endpoint: 500", .token(.response("500 No", body: #"{"id_token":"x"}"#.utf8))),
        ("the token endpoint: 401", .token(.response("401 No", body: #"{"error":"invalid_client"}"#.utf8))),
        ("the token endpoint: elsewhere", .token(.response("302 Found", headers: ["Location: https://evil.example/"]))),
        ("the token endpoint: nothing", .token(.bytes([]))),
    ]

    @Test(arguments: garbage) func `a provider that answers garbage is away`(
        name: String, fault: HostileProvider.Fault
    ) throws {
        let provider = try HostileProvider(fault)
        let host = try SessionFixture(at: provider)
        let browser = PageBrowser(host)
        var answer = try browser.login()
        if case .token = fault {
            answer = try browser.callback(try provider.signIn(try #require(answer.response.header("Location"))))
        }
        let place = answer.response.header("Location")
        #expect(place == "/#/staging/sign-in?problem=identity-provider-away", "\(name)")
        #expect(try host.count == 0)
    }

    @Test func `a provider that says nothing holds few threads, and none for long`() throws {
        let provider = try HostileProvider(.discovery(.silence))
        let host = try SessionFixture(at: provider)
        let away = "/#/staging/sign-in?problem=identity-provider-away"
        let busy = "/#/staging/sign-in?problem=overloaded"
        let places = Monitor<[String]>([])
        let began = ContinuousClock.now
        let threads = (0..<24).map { _ in
            Thread(name: "browser") {
                let answer = try? PageBrowser(host).login()
                places.update { $0.append(answer?.response.header("Location") ?? "") }
            }
        }
        // Further attempts are refused as busy while the others still wait.
        #expect(eventually { places.read { $0.count { $0 == busy } } == 16 })
        for thread in threads { thread.wait(upTo: .seconds(60)) }
        #expect(places.read { $0.count { $0 == away } } == 8)
        // The timeout of one request is 5 s. A loaded machine may take longer.
        #expect(ContinuousClock.now - began < .seconds(60))
        #expect(try host.attempts == 0)
    }

    @Test func `the client's secret goes to the provider alone, in one header`() throws {
        let provider = try HostileProvider()
        let host = try SessionFixture(at: provider)
        let browser = PageBrowser(host)
        let login = try browser.login()
        _ = try browser.callback(try provider.signIn(try #require(login.response.header("Location"))))
        let basic = Base64.encode(Array("almanac:hunter2%20of%20tests".utf8))
        let asked = provider.messages.filter { $0.hasPrefix("POST /token ") }
        #expect(asked.count == 1 && asked[0].contains("Authorization: Basic \(basic)\r\n"))
        #expect(provider.messages.joined().firstRange(of: "hunter2") == nil)
        #expect(!"\(host.settings)".contains("hunter2"))
        var dumped = ""
        dump(host.settings, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
