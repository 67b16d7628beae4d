import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacOpenIDConnect

/// Encodes a text as a part of a token.
func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

@Suite struct HostileTokenTests {
    private func expect(
        _ failure: TokenFailure, _ token: String, published: [UInt8]? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let verifier = try TokenVerifier.test(published: published)
        #expect(throws: failure, sourceLocation: location) { try verifier.verify(token) }
        // A refused token must not be cached as valid.
        #expect(throws: failure, sourceLocation: location) { try verifier.verify(token) }
    }

    @Test(
        arguments: [
            ("iss", nil, .wrongIssuer), ("iss", "https://login.example.com", .wrongIssuer),
            ("iss", "https://LOGIN.example.com/", .wrongIssuer), ("iss", "https://evil.example/", .wrongIssuer),
            ("iss", "urn:almanac:development:production", .wrongIssuer), ("iss", 1, .malformed),
            ("iss", [.string(TestToken.issuer)], .malformed),
            ("aud", nil, .wrongAudience), ("aud", "", .wrongAudience), ("aud", [], .wrongAudience),
            ("aud", "https://notes.example.com/", .wrongAudience),
            ("aud", ["https://staging.example.com"], .wrongAudience), ("aud", .null, .malformed),
            ("aud", [.string(TestToken.audience), 1], .malformed), ("aud", ["a": 1], .malformed),
            ("exp", nil, .noExpiry), ("exp", .integer(TestToken.now - 60), .expired), ("exp", 0, .expired),
            ("exp", "1900000000", .malformed), ("exp", -1, .malformed), ("exp", .integer(.max), .malformed),
            ("exp", .null, .malformed), ("exp", true, .malformed),
            ("nbf", .integer(TestToken.now + 61), .notYetValid), ("nbf", "0", .malformed),
            ("iat", .integer(TestToken.now + 61), .notYetValid), ("iat", "0", .malformed), ("iat", -1, .malformed),
            ("sub", nil, .noSubject), ("sub", "", .noSubject), ("sub", 1, .malformed), ("sub", .null, .malformed),
            ("sub", .string(String(repeating: "a", count: 256)), .noSubject),
            ("sub", .string(String(repeating: "é", count: 128)), .noSubject),
            ("token_use", "refresh", .notAnAccessToken), ("token_use", "id", .notAnAccessToken),
            ("token_use", "", .notAnAccessToken), ("token_use", 1, .malformed),
            ("typ", "Refresh", .notAnAccessToken), ("typ", "ID", .notAnAccessToken),
            ("typ", "Offline", .notAnAccessToken), ("typ", "offline", .notAnAccessToken),
            ("typ", "Logout", .notAnAccessToken), ("token_type", "refresh", .notAnAccessToken),
            ("at_hash", "abc", .notAnAccessToken), ("c_hash", "abc", .notAnAccessToken),
            ("events", ["http://schemas.openid.net/event/backchannel-logout": [:]], .notAnAccessToken),
            ("scope", 1, .malformed), ("scope", ["a", 1], .malformed), ("scp", ["a": 1], .malformed),
        ] as [(String, JSONValue?, TokenFailure)])
    func `a signed token with a wrong claim is refused`(
        name: String, value: JSONValue?, failure: TokenFailure
    ) throws {
        try expect(failure, try TestToken().claim(name, value).signed())
    }

    @Test(
        arguments: [
            ("alg", nil, .malformed), ("alg", 1, .malformed), ("alg", "none", .algorithmRefused),
            ("alg", "None", .algorithmRefused), ("alg", "nOnE", .algorithmRefused), ("alg", "", .algorithmRefused),
            ("alg", "HS256", .algorithmRefused), ("alg", "HS512", .algorithmRefused),
            ("alg", "RS512", .algorithmRefused), ("alg", "RS1", .algorithmRefused), ("alg", "ES384", .algorithmRefused),
            ("alg", "ES256K", .algorithmRefused), ("alg", "eddsa", .algorithmRefused),
            ("alg", "RSA-OAEP", .algorithmRefused), ("alg", "dir", .algorithmRefused),
            ("alg", "RS256", .unknownKey), ("alg", "PS256", .unknownKey), ("alg", "ES256", .unknownKey),
            ("crit", ["exp"], .extensionRefused), ("crit", [], .extensionRefused), ("crit", "b64", .extensionRefused),
            ("crit", .null, .extensionRefused), ("b64", false, .extensionRefused), ("b64", true, .extensionRefused),
            ("typ", "refresh+jwt", .notAnAccessToken), ("typ", "rt+jwt", .notAnAccessToken),
            ("typ", "id_token", .notAnAccessToken), ("typ", "logout+jwt", .notAnAccessToken),
            ("typ", "dpop+jwt", .notAnAccessToken), ("typ", "application/jwt+x", .notAnAccessToken),
            ("typ", "text/at+jwt", .notAnAccessToken), ("typ", "", .notAnAccessToken), ("typ", 1, .malformed),
            ("kid", "rsa", .unknownKey), ("kid", "p256", .unknownKey), ("kid", "ED25519", .unknownKey),
            ("kid", "", .unknownKey), ("kid", "../../etc/passwd", .unknownKey), ("kid", "' or 1=1", .unknownKey),
            ("kid", 1, .malformed), ("kid", .null, .malformed), ("kid", ["ed25519"], .malformed),
        ] as [(String, JSONValue?, TokenFailure)])
    func `a token with a header that asks for trouble is refused`(
        name: String, value: JSONValue?, failure: TokenFailure
    ) throws {
        try expect(failure, try TestToken().parameter(name, value).signed())
    }

    @Test func `a token that is altered anywhere is refused`() throws {
        let token = Array(try TestToken().signed().utf8)
        let verifier = try TokenVerifier.test()
        for position in token.indices where position % 3 == 0 || position > token.count - 90 {
            var altered = token
            altered[position] = altered[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenFailure.self) { try verifier.verify(String(decoding: altered, as: UTF8.self)) }
        }
        let parts = String(decoding: token, as: UTF8.self).split(separator: ".")
        let bob = TestToken().claim("sub", "bob").unsigned.split(separator: ".")
        try expect(.wrongSignature, "\(parts[0]).\(bob[1]).\(parts[2])")
    }

    @Test func `a token without a signature is refused`() throws {
        let token = TestToken("none", keyID: nil).unsigned
        try expect(.malformed, token + ".")
        try expect(.malformed, token)
        try expect(.algorithmRefused, token + ".AAAA")
        try expect(.malformed, TestToken().unsigned + ".")
        try expect(.wrongSignature, TestToken().unsigned + ".AAAA")
        try expect(.wrongSignature, TestToken().unsigned + "." + Base64URL.encode([UInt8](repeating: 0, count: 64)))
    }

    /// Signs with the public key as an HMAC secret. If that were accepted, everyone could sign.
    @Test func `an HMAC keyed with the public key is refused`() throws {
        let key = try TestKeys.rsa.get()
        let folder = try TemporaryFolder()
        let text = TestToken("HS256", keyID: "rsa").unsigned
        let secret = Hex.encode(try key.publicPEM)
        let mac = try Command.run(
            "openssl",
            [
                "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(secret)", "-binary",
                try folder.write("t", text.utf8),
            ])
        #expect(mac.outputBytes.count == 32)
        try expect(.algorithmRefused, text + "." + Base64URL.encode(mac.outputBytes))
    }

    @Test func `a key that the token brings along is not used`() throws {
        let foreign = try TestKeys.foreignP256.get()
        let jwk = TestKeys.jwk(foreign, [("kid", "p256")])
        for name in ["jwk", "jku", "x5u", "x5c"] {
            let values: [String: JSONValue] = [
                "jwk": jwk, "jku": "https://evil.example/keys.json", "x5u": "https://evil.example/chain.pem",
                "x5c": ["MIIB"],
            ]
            let token = TestToken("ES256", keyID: "p256").parameter(name, values[name])
            try expect(.wrongSignature, try token.signed(by: foreign))
            let nameless = token.parameter("kid", nil)
            try expect(.wrongSignature, try nameless.signed(by: foreign))
            let other = token.parameter("kid", "mine")
            try expect(.unknownKey, try other.signed(by: foreign))
        }
    }

    @Test func `a foreign key's signature is refused`() throws {
        for algorithm in ["RS256", "PS256"] {
            let token = try TestToken(algorithm, keyID: "rsa").signed(by: try TestKeys.foreignRSA.get())
            try expect(.wrongSignature, token)
        }
    }

    @Test(arguments: [("RS256", "PS256"), ("PS256", "RS256")])
    func `a signature by another algorithm than the header's is refused`(named: String, used: String) throws {
        try expect(.wrongSignature, try TestToken(named, keyID: "rsa").signed(by: try TestKeys.rsa.get(), as: used))
    }

    @Test func `an ECDSA signature of the wrong length or form is refused`() throws {
        let text = TestToken("ES256", keyID: "p256").unsigned
        let signature = try TestKeys.p256.get().sign(Array(text.utf8), "ES256")
        for wrong in [signature.dropLast(), signature + [0], [0] + signature, Array(signature[..<32])] {
            try expect(.wrongSignature, text + "." + Base64URL.encode(Array(wrong)))
        }
        for byte in [0x00, 0xFF] as [UInt8] {
            try expect(.wrongSignature, text + "." + Base64URL.encode([UInt8](repeating: byte, count: 64)))
        }
    }

    @Test func `a small RSA key verifies nothing`() throws {
        let key = try TestKeys.smallRSA.get()
        let document = TestKeys.document([
            TestKeys.jwk(key, [("kid", "rsa")]), TestKeys.jwk(try TestKeys.p256.get(), [("kid", "p256")]),
        ])
        try expect(.unknownKey, try TestToken("RS256", keyID: "rsa").signed(by: key), published: document)
    }

    @Test func `a key is used only with the algorithm that it is published for`() throws {
        let key = try TestKeys.rsa.get()
        let document = TestKeys.document([TestKeys.jwk(key, [("kid", "rsa"), ("alg", "PS256")])])
        try expect(.unknownKey, try TestToken("RS256", keyID: "rsa").signed(by: key), published: document)
        let verifier = try TokenVerifier.test(published: document)
        #expect(try verifier.verify(TestToken("PS256", keyID: "rsa").signed(by: key)).subject == "alice")
    }

    @Test func `a token without a key's name is refused where two keys could be meant`() throws {
        let document = TestKeys.document([
            TestKeys.jwk(try TestKeys.rsa.get(), [("kid", "1")]),
            TestKeys.jwk(try TestKeys.foreignRSA.get(), [("kid", "2")]),
        ])
        let token = try TestToken("RS256", keyID: nil).signed(by: try TestKeys.rsa.get())
        try expect(.unknownKey, token, published: document)
    }

    @Test func `a token longer than the limit is not looked at`() throws {
        let good = try TestToken().claim("padding", .string(String(repeating: "a", count: 5000))).signed()
        #expect(good.utf8.count <= 8192)
        #expect(try TokenVerifier.test().verify(good).subject == "alice")
        try expect(.tooLarge, try TestToken().claim("padding", .string(String(repeating: "a", count: 6000))).signed())
        try expect(.tooLarge, String(repeating: "a", count: 8193))
        try expect(.malformed, String(repeating: "a", count: 8192))
        try expect(.malformed, String(repeating: ".", count: 8192))
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "e30.e30.e30", "e30..e30", ".e30.e30", " ",
        "almanac_production_abc", "\u{0}.\u{0}.\u{0}", "é.é.é",
    ])
    func `a text that is no token is refused`(text: String) throws {
        try expect(.malformed, text)
    }

    private static let claims =
        #""iss":"\#(TestToken.issuer)","aud":"\#(TestToken.audience)","sub":"alice","exp":1900000000"#

    @Test(arguments: [
        (#"{"alg":"EdDSA","alg":"EdDSA"}"#, "{\(claims)}"), (#"{"alg":"none","alg":"EdDSA"}"#, "{\(claims)}"),
        (#"{"alg":"EdDSA","\u0061lg":"EdDSA"}"#, "{\(claims)}"), (#"{"alg":"EdDSA"}"#, #"{\#(claims),"sub":"bob"}"#),
        (#"{"alg":"EdDSA"}"#, #"{\#(claims),"exp":1900000001}"#), (#"["EdDSA"]"#, "{\(claims)}"),
        (#"{"alg":"EdDSA"}"#, "[]"), (#"{"alg":"EdDSA"}"#, "\"text\""), (#"{"alg":"EdDSA"}"#, ""),
        (#"{"alg":"EdDSA"}"#, "{\(claims)} x"), (#"{"alg":"EdDSA"}"#, #"{\#(claims),"a":"\u0000"}"#),
        (#"{"alg":"EdDSA"}"#, #"{\#(claims),"a":"\ud800"}"#), (#"{"alg":"EdDSA"}"#, #"{\#(claims),"exp":1e400}"#),
        (
            #"{"alg":"EdDSA"}"#,
            #"{\#(claims),"a":\#(String(repeating: "[", count: 20))\#(String(repeating: "]", count: 20))}"#
        ),
    ])
    func `a signed token with doubtful JSON is refused`(header: String, claims: String) throws {
        let text = encoded(header) + "." + encoded(claims)
        try expect(.malformed, try TestToken.sign(text, try TestKeys.ed25519.get(), "EdDSA"))
    }

    /// Sends other Base64url encodings of a valid token, which would be several tokens for one signature.
    @Test func `a token in any other than the one Base64url form is refused`() throws {
        let token = try TestToken().signed()
        let parts = token.split(separator: ".").map(String.init)
        for wrong in [
            token + "=", token + "==", token + "\n", " " + token, "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1])\n.\(parts[2])", token.replacing("-", with: "+") + "+", token + "/",
        ] {
            try expect(.malformed, wrong)
        }
        // 64 bytes leave four bits of the last digit unused.
        let last = try #require(parts[2].utf8.last)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let value = try #require(digits.firstIndex(of: last))
        for change in 1...15 {
            try expect(.malformed, token.dropLast() + String(UnicodeScalar(digits[value ^ change])))
        }
    }
}
