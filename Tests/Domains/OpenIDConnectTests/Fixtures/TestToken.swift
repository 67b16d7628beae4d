import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport

/// A token under construction. The initial values make a valid token of the made-up issuer.
struct TestToken {
    static let issuer = "https://login.example.com/"
    static let audience = "https://notes.example.com"
    /// The time of day in the tests, in seconds since 1970.
    static let now: Int64 = 1_800_000_000

    var header: [(name: String, value: JSONValue)]
    var claims: [(name: String, value: JSONValue)] = [
        ("iss", .string(issuer)), ("aud", .string(audience)), ("sub", "alice"), ("iat", .integer(now)),
        ("exp", .integer(now + 3600)),
    ]

    init(_ algorithm: String = "EdDSA", keyID: String? = "ed25519") {
        header = [("alg", .string(algorithm))]
        if let keyID { header.append(("kid", .string(keyID))) }
    }

    /// Returns the token with a claim replaced, added, or removed for nil.
    func claim(_ name: String, _ value: JSONValue?) -> TestToken {
        var token = self
        token.claims.removeAll { $0.name == name }
        if let value { token.claims.append((name, value)) }
        return token
    }

    /// Returns the token with a header parameter replaced, added, or removed for nil.
    func parameter(_ name: String, _ value: JSONValue?) -> TestToken {
        var token = self
        token.header.removeAll { $0.name == name }
        if let value { token.header.append((name, value)) }
        return token
    }

    /// The header and the claims, without the signature.
    var unsigned: String {
        let header = JSONValue.object(JSONObject(header)).serialized()
        let claims = JSONValue.object(JSONObject(claims)).serialized()
        return Base64URL.encode(header) + "." + Base64URL.encode(claims)
    }

    /// Signs the token.
    ///
    /// - Parameter algorithm: the actual algorithm, which may differ from the header's.
    func signed(by key: OpenSSLKey, as algorithm: String? = nil) throws -> String {
        let named = header.first { $0.name == "alg" }?.value.stringValue ?? ""
        return try Self.sign(unsigned, key, algorithm ?? named)
    }

    /// Signs the token with the Ed25519 key that the issuer publishes.
    func signed() throws -> String { try signed(by: try TestKeys.ed25519.get(), as: "EdDSA") }

    /// Signs any text as the first two parts of a token.
    static func sign(_ text: String, _ key: OpenSSLKey, _ algorithm: String) throws -> String {
        text + "." + Base64URL.encode(try key.sign(Array(text.utf8), algorithm))
    }
}

extension JSONValue {
    static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
