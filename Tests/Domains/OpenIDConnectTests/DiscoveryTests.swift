import AlmanacHTTPSClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacOpenIDConnect

/// Tests faulty documents of a provider. ProviderTests covers valid ones, from a real provider.
@Suite struct DiscoveryTests {
    private static let wellKnown = "/.well-known/openid-configuration"

    /// Loads the keys of a provider with these two responses.
    ///
    /// - Parameter discovery: receives the provider's issuer.
    private func load(
        path: String = "", discovery: @escaping @Sendable (String) -> ScriptedServer.Answer,
        keySet: ScriptedServer.Answer? = nil
    ) throws -> (loaded: Result<KeySource.Loaded, ProviderFailure>, requests: [String]) {
        let published = try TestKeys.published
        let port = Monitor<UInt16>(0)
        let server = try ScriptedServer { asked in
            let issuer = "http://127.0.0.1:\(port.read { $0 })\(path)"
            return asked.hasSuffix(Self.wellKnown) ? discovery(issuer) : keySet ?? .response(body: published)
        }
        port.update { $0 = server.port }
        let issuer = try #require(WebAddress(server.base + path))
        let client = HTTPSClient(timeout: .milliseconds(500), byteLimit: 1 << 20)
        let source = KeySource.provider(issuer, client: client)
        return (Result { () throws(ProviderFailure) in try source.load() }, server.requests)
    }

    private static func document(issuer: String, keySet: String) -> ScriptedServer.Answer {
        .response(
            body: JSONValue.object(
                JSONObject([(name: "issuer", value: .string(issuer)), (name: "jwks_uri", value: .string(keySet))])
            ).serialized())
    }

    @Test(arguments: [("", ""), ("/", ""), ("/realms/a", "/realms/a"), ("/realms/a/", "/realms/a")])
    func `the documents are where the standard puts them`(path: String, folder: String) throws {
        let (loaded, requests) = try load(path: path) { Self.document(issuer: $0, keySet: $0 + "/keys") }
        _ = try loaded.get()
        #expect(requests == [folder + Self.wellKnown, path + "/keys"])
    }

    @Test(
        arguments: [
            ([], nil), (["Cache-Control: max-age=600"], 600), (["Cache-Control: public, MAX-AGE=60 , x"], 60),
            (["Cache-Control: s-maxage=5"], nil), (["Cache-Control: max-age=soon"], nil),
            (["Cache-Control: no-store"], nil),
            (["Cache-Control: max-age=600", "Age: 100"], 500), (["Cache-Control: max-age=-5"], nil),
            (["Cache-Control: max-age=99999999999999999999"], nil),
        ] as [([String], Int?)])
    func `the key set's answer says how long it is good`(headers: [String], seconds: Int?) throws {
        let keySet = ScriptedServer.Answer.response(headers: headers, body: try TestKeys.published)
        let loaded = try load(discovery: { Self.document(issuer: $0, keySet: $0 + "/keys") }, keySet: keySet).loaded
        #expect(try loaded.get().maxAge == seconds.map { .seconds($0) })
    }

    @Test func `a document of another issuer is refused`() throws {
        let names: [@Sendable (String) -> String] = [
            { $0 + "/" }, { _ in "https://login.example.com" }, { $0.uppercased() }, { _ in "" },
        ]
        for name in names {
            let (loaded, requests) = try load { Self.document(issuer: name($0), keySet: $0 + "/keys") }
            #expect(throws: ProviderFailure.self) { try loaded.get() }
            #expect(requests == [Self.wellKnown])
        }
    }

    @Test(arguments: [
        "", "/keys", "http://login.example.com/keys", "ftp://127.0.0.1/keys", "file:///etc/passwd",
        "https://user@login.example.com/keys", "javascript:1",
    ])
    func `keys at an address that cannot be trusted are not fetched`(address: String) throws {
        let (loaded, requests) = try load { Self.document(issuer: $0, keySet: address) }
        #expect(throws: ProviderFailure.self) { try loaded.get() }
        #expect(requests == [Self.wellKnown])
    }

    @Test(arguments: [
        ("https://a.example", "https://keys.example/k", true), ("http://127.0.0.1", "https://keys.example/k", true),
        ("http://127.0.0.1", "http://localhost:1/k", true), ("https://a.example", "http://localhost:1/k", false),
    ])
    func `an encrypted provider's keys come encrypted too`(issuer: String, keySet: String, isFine: Bool) throws {
        let document = Array(#"{"issuer": "\#(issuer)", "jwks_uri": "\#(keySet)"}"#.utf8)
        let issuer = try #require(WebAddress(issuer))
        #expect(((try? KeySource.keySetAddress(in: document, of: issuer))?.text == keySet) == isFine)
    }

    private static let broken: [ScriptedServer.Answer] = [
        .response(body: "garbage".utf8), .response(body: "[]".utf8), .response(body: "{}".utf8), .response(),
        .response(body: #"{"issuer":1,"jwks_uri":2}"#.utf8), .response(body: [0xFF, 0xFE, 0x00]),
        .response("404 Not Found", body: "{}".utf8), .response("500 Internal Server Error"),
        .response("302 Found", headers: ["Location: http://login.example.com/"]),
        .response("301 Moved", headers: ["Location: file:///etc/passwd"]),
        .response(body: [UInt8](repeating: 0x20, count: 2 << 20)),
        .response(body: "[".utf8 + [UInt8](repeating: 0x5B, count: 100_000)),
        .bytes([]), .bytes(Array("SSH-2.0-OpenSSH\r\n".utf8)), .silence,
    ]

    @Test(arguments: broken.indices) func `a broken discovery document is a failure`(index: Int) throws {
        let (loaded, requests) = try load { _ in Self.broken[index] }
        #expect(throws: ProviderFailure.self) { try loaded.get() }
        #expect(requests == [Self.wellKnown])
    }

    @Test(arguments: broken.indices) func `a broken key set is a failure`(index: Int) throws {
        let (loaded, requests) = try load(
            discovery: { Self.document(issuer: $0, keySet: $0 + "/keys") }, keySet: Self.broken[index])
        #expect(throws: ProviderFailure.self) { try loaded.get() }
        #expect(requests.count == 2)
    }

    @Test(arguments: ["201 Created", "404 Not Found", "500 Internal Server Error"])
    func `a response with another status than 200 is not believed`(status: String) throws {
        let (first, _) = try load { issuer in
            .response(status, body: #"{"issuer": "\#(issuer)", "jwks_uri": "\#(issuer)/keys"}"#.utf8)
        }
        let keys = ScriptedServer.Answer.response(status, body: try TestKeys.published)
        let (second, _) = try load(discovery: { Self.document(issuer: $0, keySet: $0 + "/keys") }, keySet: keys)
        for loaded in [first, second] {
            let failure = try #require(throws: ProviderFailure.self) { try loaded.get() }
            #expect("\(failure)".hasSuffix("the response has the status \(status.prefix(3))"))
        }
    }

    @Test func `a verifier without its provider says so, and finds it later`() throws {
        let published = try TestKeys.published
        let isThere = Monitor(false)
        let port = Monitor<UInt16>(0)
        let server = try ScriptedServer { asked in
            guard isThere.read({ $0 }) else { return .response("503 Service Unavailable") }
            let issuer = "http://127.0.0.1:\(port.read { $0 })"
            return asked == "/keys"
                ? .response(body: published) : Self.document(issuer: issuer, keySet: issuer + "/keys")
        }
        port.update { $0 = server.port }
        let clock = TestClock()
        let reports = Monitor<[String]>([])
        let keys = KeyStore(
            .provider(try #require(WebAddress(server.base)), client: HTTPSClient()), clock: clock.server,
            report: { failure in reports.update { $0.append("\(failure)") } })
        let verifier = TokenVerifier(
            issuer: server.base, audience: TestToken.audience, keys: keys, clock: .wall { TestToken.now })
        let token = try TestToken().claim("iss", .string(server.base)).signed()
        #expect(throws: TokenFailure.keysUnavailable) { try verifier.verify(token) }
        #expect(reports.wait(upTo: .seconds(20)) { $0.first }?.contains("503") == true)
        isThere.update { $0 = true }
        clock.advance(by: .seconds(12))
        #expect(try verifier.verify(token).subject == "alice")
    }

    @Test func `keys are fetched from where they were for a minute, and looked for anew when they are gone`() throws {
        let published = try TestKeys.published
        let port = Monitor<UInt16>(0)
        let place = Monitor("/keys")
        let server = try ScriptedServer { asked in
            let keys = place.read { $0 }
            let issuer = "http://127.0.0.1:\(port.read { $0 })"
            if asked == Self.wellKnown { return Self.document(issuer: issuer, keySet: issuer + keys) }
            return asked == keys ? .response(body: published) : .response("404 Not Found")
        }
        port.update { $0 = server.port }
        let clock = TestClock()
        let issuer = try #require(WebAddress(server.base))
        let source = KeySource.provider(issuer, client: HTTPSClient(), clock: clock.server)
        var expected: [String] = []
        for fetch in 0..<10 {
            _ = try source.load()
            expected += fetch.isMultiple(of: 5) ? [Self.wellKnown, "/keys"] : ["/keys"]
            #expect(server.requests == expected)
            clock.advance(by: .seconds(12))
        }
        place.update { $0 = "/moved" }
        clock.advance(by: .seconds(-12))
        #expect(throws: ProviderFailure.self) { try source.load() }
        _ = try source.load()
        #expect(server.requests == expected + ["/keys", Self.wellKnown, "/moved"])
    }

    @Test func `a token that is refused in any case has no keys fetched`() throws {
        let server = try ScriptedServer { _ in .silence }
        let issuer = try #require(WebAddress(server.base))
        let verifier = TokenVerifier(provider: issuer, audience: TestToken.audience)
        let texts = [
            "nonsense", try TestToken().signed(),
            try TestToken().claim("iss", .string(server.base)).claim("exp", 1).signed(),
            try TestToken("none").claim("iss", .string(server.base)).signed(),
        ]
        for text in texts { #expect(throws: TokenFailure.self) { try verifier.verify(text) } }
        #expect(server.requests.isEmpty)
    }
}
