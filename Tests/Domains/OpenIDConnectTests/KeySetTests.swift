import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacOpenIDConnect

@Suite struct KeySetTests {
    private func header(_ algorithm: String, _ keyID: String?) throws -> TokenHeader {
        var members: [(name: String, value: JSONValue)] = [("alg", .string(algorithm))]
        if let keyID { members.append(("kid", .string(keyID))) }
        return try TokenHeader(JSONObject(members))
    }

    @Test func `a key is found by its name, and without one where only one fits`() throws {
        let keys = try KeySet(parsing: TestKeys.published)
        let rsa = try PublicKey(rsaModulus: try TestKeys.rsa.get().rsaModulus, exponent: [1, 0, 1])
        for keyID in ["rsa", nil] {
            for algorithm in ["RS256", "PS256"] {
                #expect(keys.key(for: try header(algorithm, keyID))?.fingerprint == rsa.fingerprint)
            }
        }
        #expect(keys.key(for: try header("RS256", "p256")) == nil)
        #expect(keys.key(for: try header("ES256", "rsa")) == nil)
        #expect(keys.key(for: try header("ES256", "other")) == nil)
    }

    @Test func `names differ when their bytes differ`() throws {
        let keys = try KeySet(
            parsing: TestKeys.document([TestKeys.jwk(try TestKeys.p256.get(), [("kid", "caf\u{E9}")])]))
        #expect(keys.key(for: try header("ES256", "caf\u{E9}")) != nil)
        #expect(keys.key(for: try header("ES256", "cafe\u{301}")) == nil)
    }

    @Test func `two keys with one name are told apart by their algorithms only`() throws {
        let (one, two) = (try TestKeys.p256.get(), try TestKeys.foreignP256.get())
        let rsa = TestKeys.jwk(try TestKeys.rsa.get(), [("kid", "a")])
        let different = try KeySet(parsing: TestKeys.document([rsa, TestKeys.jwk(one, [("kid", "a")])]))
        #expect(different.key(for: try header("ES256", "a"))?.kind == .p256)
        #expect(different.key(for: try header("RS256", "a"))?.kind == .rsa)
        let same = try KeySet(
            parsing: TestKeys.document([TestKeys.jwk(one, [("kid", "a")]), TestKeys.jwk(two, [("kid", "a")])]))
        #expect(same.key(for: try header("ES256", "a")) == nil)
    }

    /// Adds a member that makes a key unusable. The valid key in the same set must stay usable.
    @Test(
        arguments: [
            ("use", "enc"), ("use", 1), ("key_ops", ["encrypt"]), ("key_ops", "verify"), ("alg", "RS256"),
            ("alg", "ES384"), ("alg", "none"), ("alg", 1), ("kid", 1), ("crv", "P-384"), ("crv", "secp256k1"),
            ("kty", "OKP"), ("kty", "oct"), ("kty", 1), ("x", ""), ("x", "!"), ("x", 1), ("y", "AAAA"),
            ("y", .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))),
        ] as [(String, JSONValue)])
    func `a key for something else, or broken, is left out`(name: String, value: JSONValue) throws {
        let members = try #require(TestKeys.jwk(try TestKeys.p256.get(), [("kid", "a")]).objectValue)
        let good = TestKeys.jwk(try TestKeys.ed25519.get(), [("kid", "good")])
        let document = TestKeys.document([.object(members.setting(name, value)), good, "text", [:]])
        let keys = try KeySet(parsing: document)
        #expect(keys.key(for: try header("ES256", "a")) == nil)
        #expect(keys.key(for: try header("ES256", nil)) == nil)
        #expect(keys.key(for: try header("EdDSA", "good")) != nil)
    }

    @Test(
        arguments: [("use", "sig"), ("key_ops", ["verify"]), ("alg", "ES256"), ("x5t", "abc"), ("ext", true)]
            as [(String, JSONValue)])
    func `a key that says it is for signatures is kept`(name: String, value: JSONValue) throws {
        let document = TestKeys.document([TestKeys.jwk(try TestKeys.p256.get(), [("kid", "a"), (name, value)])])
        #expect(try KeySet(parsing: document).key(for: try header("ES256", "a")) != nil)
    }

    @Test(arguments: [
        "", "nonsense", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[1,"a",null]}"#,
        #"{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"a"}]}"#, "<html></html>",
    ])
    func `a document without a usable key is refused`(text: String) {
        #expect(throws: ProviderFailure.self) { try KeySet(parsing: Array(text.utf8)) }
    }

    @Test func `a hundred keys are accepted and no more`() throws {
        let keys = try (1...101).map { try TestKeys.jwk(TestKeys.ed25519.get(), [("kid", .string("\($0)"))]) }
        #expect(try KeySet(parsing: TestKeys.document(Array(keys.dropLast()))).key(for: header("EdDSA", "100")) != nil)
        #expect(throws: ProviderFailure.self) { try KeySet(parsing: TestKeys.document(keys)) }
    }
}
