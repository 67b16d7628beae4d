import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport

/// The keys of a made-up issuer. The `openssl` command makes each once for all tests.
enum TestKeys {
    static let rsa = Result { try OpenSSLKey(.rsa(bits: 2048)) }
    static let p256 = Result { try OpenSSLKey(.p256) }
    static let ed25519 = Result { try OpenSSLKey(.ed25519) }
    /// A key that the issuer does not publish, like the two below.
    static let foreignRSA = Result { try OpenSSLKey(.rsa(bits: 2048)) }
    static let foreignP256 = Result { try OpenSSLKey(.p256) }
    static let smallRSA = Result { try OpenSSLKey(.rsa(bits: 1024)) }

    /// Returns a key as a JSON Web Key, with additional members.
    static func jwk(_ key: OpenSSLKey, _ members: [(String, JSONValue)] = []) -> JSONValue {
        let own: [(String, String)] =
            if !key.rsaModulus.isEmpty {
                [("kty", "RSA"), ("n", Base64URL.encode(key.rsaModulus)), ("e", "AQAB")]
            } else if key.isP256 {
                [("kty", "EC"), ("crv", "P-256"), ("x", Base64URL.encode(key.x)), ("y", Base64URL.encode(key.y))]
            } else {
                [("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(key.rawPublicKey))]
            }
        let all = own.map { (name: $0.0, value: JSONValue.string($0.1)) } + members.map { (name: $0.0, value: $0.1) }
        return .object(JSONObject(all))
    }

    static func document(_ keys: [JSONValue]) -> [UInt8] {
        JSONValue.object(JSONObject([(name: "keys", value: .array(keys))])).serialized()
    }

    /// The key set that the made-up issuer publishes.
    static var published: [UInt8] {
        get throws {
            document([
                jwk(try rsa.get(), [("kid", "rsa")]), jwk(try p256.get(), [("kid", "p256"), ("use", "sig")]),
                jwk(try ed25519.get(), [("kid", "ed25519"), ("alg", "EdDSA")]),
            ])
        }
    }
}
