import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacOpenIDConnect

@Suite struct TokenVerifierTests {
    @Test(arguments: [("RS256", "rsa"), ("PS256", "rsa"), ("ES256", "p256"), ("EdDSA", "ed25519")])
    func `a token of every algorithm is read`(algorithm: String, keyID: String) throws {
        let keys = ["rsa": TestKeys.rsa, "p256": TestKeys.p256, "ed25519": TestKeys.ed25519]
        let key = try #require(try keys[keyID]?.get())
        for token in [TestToken(algorithm, keyID: keyID), TestToken(algorithm, keyID: nil)] {
            let verified = try TokenVerifier.test().verify(token.signed(by: key))
            #expect(verified.issuer == TestToken.issuer)
            #expect(verified.subject == "alice")
            #expect(verified.scopes.isEmpty)
            #expect(verified.expiresAt == Timestamp(milliseconds: (TestToken.now + 3600) * 1000))
        }
    }

    @Test(
        arguments: [
            ("scope", "config:read  config:write ", ["config:read", "config:write"]), ("scope", "", []),
            ("scope", ["a", "b"], ["a", "b"]), ("scp", ["config:read", "x"], ["config:read", "x"]),
            ("scp", "a b", ["a", "b"]), ("scp", [], []), ("scopes", "a", []),
        ] as [(String, JSONValue, [String])])
    func `scopes are words or a list`(name: String, value: JSONValue, scopes: [String]) throws {
        #expect(try TokenVerifier.test().verify(TestToken().claim(name, value).signed()).scopes == scopes)
    }

    @Test(
        arguments: [
            (["name": "Ada Lovelace", "email": "ada@example.com"], "Ada Lovelace"),
            (["preferred_username": "ada", "email": "ada@example.com"], "ada"), (["email": "a@b.c"], "a@b.c"),
            (["name": 7, "email": "a@b.c"], "a@b.c"), (["name": ["Ada"]], nil), (["name": .null], nil), ([:], nil),
            (["name": "", "preferred_username": " \n "], nil), (["name": "A\u{7}d\na\u{202E}"], "Ada"),
            (["name": "  Ada   B. "], "Ada B."), (["name": "नेहा 👩‍🔬"], "नेहा 👩‍🔬"),
            (["name": .string(String(repeating: "é", count: 101))], String(repeating: "é", count: 100)),
        ] as [([String: JSONValue], String?)])
    func `a person has the first name that a claim gives, without control characters`(
        claims: [String: JSONValue], name: String?
    ) throws {
        let token = claims.reduce(TestToken()) { $0.claim($1.key, $1.value) }
        #expect(try TokenVerifier.test().verify(token.signed()).name == name)
    }

    @Test(
        arguments: [
            ("typ", "at+jwt"), ("typ", "AT+JWT"), ("typ", "application/at+jwt"), ("typ", "JWT"), ("typ", "jwt"),
            ("jku", "https://evil.example/keys"), ("x5u", "https://evil.example/x"), ("x5t", "abc"), ("unknown", 1),
        ] as [(String, JSONValue)])
    func `harmless header parameters are`(name: String, value: JSONValue) throws {
        #expect(try TokenVerifier.test().verify(TestToken().parameter(name, value).signed()).subject == "alice")
    }

    @Test(
        arguments: [
            ("token_use", "access"), ("typ", "Bearer"), ("token_type", "Bearer"), ("token_type", "access"),
            ("aud", [.string(TestToken.audience)]), ("aud", ["other", .string(TestToken.audience)]),
            ("nbf", .integer(TestToken.now + 60)), ("iat", .integer(TestToken.now + 60)), ("iat", nil),
            ("nbf", .integer(0)), ("exp", .integer(TestToken.now - 59)), ("exp", .integer(253_402_300_799)),
            ("sub", .string(String(repeating: "é", count: 127))), ("azp", "someone"), ("nonce", "n"),
            ("realm_access", ["roles": ["a", "b"]]),
        ] as [(String, JSONValue?)])
    func `claims within their bounds are fine`(name: String, value: JSONValue?) throws {
        _ = try TokenVerifier.test().verify(TestToken().claim(name, value).signed())
    }

    @Test func `times may have fractions`() throws {
        let text = #"{"iss":"\#(TestToken.issuer)","aud":"\#(TestToken.audience)","sub":"a","exp":1800000000.25}"#
        let token = try TestToken.sign(
            encoded(#"{"alg":"EdDSA"}"#) + "." + encoded(text), try TestKeys.ed25519.get(), "EdDSA")
        let verified = try TokenVerifier.test().verify(token)
        #expect(verified.expiresAt == Timestamp(milliseconds: 1_800_000_000_250))
    }

    @Test func `a token that was valid is refused when it has expired, to the second`() throws {
        let seconds = Monitor(TestToken.now)
        let keys = try KeySet(parsing: TestKeys.published)
        let verifier = TokenVerifier(
            issuer: TestToken.issuer, audience: TestToken.audience,
            keys: KeyStore(KeySource { .init(keys: keys, maxAge: nil) }), clock: .wall { seconds.read { $0 } })
        let token = try TestToken().signed()
        for time in [0, 3600, 3659] {
            seconds.update { $0 = TestToken.now + Int64(time) }
            #expect(try verifier.verify(token).subject == "alice")
        }
        for time in [3660, 3661, 100_000] {
            seconds.update { $0 = TestToken.now + Int64(time) }
            #expect(throws: TokenFailure.expired) { try verifier.verify(token) }
        }
    }

    @Test func `many threads verify at once`() throws {
        let verifier = try TokenVerifier.test()
        let good = try (0..<10).map { try TestToken().claim("sub", .string("user \($0)")).signed() }
        let bad = try TestToken().claim("exp", 1).signed()
        let results = try concurrently(8) { _ in
            try (0..<200).allSatisfy { round in
                let subject = try verifier.verify(good[round % 10]).subject
                return subject == "user \(round % 10)" && (try? verifier.verify(bad)) == nil
            }
        }
        #expect(results == [Bool](repeating: true, count: 8))
    }

    @Test func `every reason has a text of its own`() {
        #expect(Set(TokenFailure.allCases.map(\.description)).count == TokenFailure.allCases.count)
        #expect(TokenFailure.allCases.filter(\.isTemporary) == [.keysUnavailable])
    }
}
