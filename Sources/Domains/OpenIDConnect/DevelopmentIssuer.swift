public import AlmanacCryptography
internal import AlmanacJSON
internal import AlmanacPOSIX
public import AlmanacTimestamps

/// Issues tokens for users that exist only in development, without a provider.
///
/// The private key stays with the user who runs `almanac token user`; a worker reads only the public key.
public struct DevelopmentIssuer: Sendable {
    private let issuer: String
    private let key: SigningKey

    /// Returns the issuer of an environment's development tokens, which is also their audience.
    public static func name(environment: String) -> String { "urn:almanac:development:\(environment)" }

    /// Reads the environment's key from its file, or creates it at the first run.
    ///
    /// - Parameters:
    ///   - keyFile: the private key, readable only by its owner.
    ///   - publicKeyFile: the public key, readable by everyone; corrected if it belongs to another key.
    public init(environment: String, keyFile: String, publicKeyFile: String) throws(DevelopmentKeyFailure) {
        issuer = Self.name(environment: environment)
        key = try Self.key(keyFile)
        try Self.publish(key.publicKey, publicKeyFile)
    }

    /// Issues a token that is valid from now on.
    ///
    /// - Parameters:
    ///   - subject: 1 to 255 bytes.
    ///   - scopes: names without spaces.
    ///   - id: the token's `jti`.
    public func token(
        subject: String, scopes: [String], now: Timestamp, expiresAt: Timestamp,
        id: [UInt8] = RandomBytes.make(count: 16)
    ) -> String {
        let header = JSONWriter.object { writer in
            writer.member("alg", SignatureAlgorithm.edDSA.rawValue)
            writer.member("typ", "at+jwt")
            writer.member("kid", VerificationKey.id(of: key.publicKey))
        }
        let claims = JSONWriter.object { writer in
            writer.member("iss", issuer)
            writer.member("aud", issuer)
            writer.member("sub", subject)
            writer.member("client_id", "almanac")
            writer.member("jti", Base64URL.encode(id))
            writer.member("scope", scopes.joined(separator: " "))
            writer.member("iat", now.milliseconds / 1000)
            writer.member("exp", expiresAt.milliseconds / 1000)
        }
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        return signed + "." + Base64URL.encode(key.sign(Array(signed.utf8)))
    }

    private static func key(_ path: String) throws(DevelopmentKeyFailure) -> SigningKey {
        do {
            if try !File.exists(path) {
                // Another process may create a key at the same moment; the first file is used by both.
                try File.createWhole(path, contents: SigningKey().pem, permissions: 0o600)
            }
            return try SigningKey(pem: try File.read(path, limit: 4096))
        } catch {
            throw DevelopmentKeyFailure(path, "\(error)")
        }
    }

    private static func publish(_ key: PublicKey, _ path: String) throws(DevelopmentKeyFailure) {
        do {
            if let known = try? PublicKey(ed25519PEM: try File.read(path, limit: 4096)),
                known.fingerprint == key.fingerprint
            {
                return
            }
            try File.replace(path, contents: key.pem, permissions: 0o644, addsPermissions: true)
        } catch {
            throw DevelopmentKeyFailure(path, "\(error)")
        }
    }
}

/// The reason why the development issuer has no key.
public struct DevelopmentKeyFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ path: String, _ reason: String) { description = "the development key \(path): \(reason)" }
}
