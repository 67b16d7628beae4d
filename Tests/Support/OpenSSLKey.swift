internal import AlmanacPOSIX

/// A key pair made and used by the `openssl` command, to check signatures independently of Almanac's code.
public struct OpenSSLKey: Sendable {
    public enum Kind: Sendable {
        case rsa(bits: Int)
        case p256
        case ed25519
    }

    /// The private key in PEM.
    public let privatePEM: [UInt8]
    private let encodedPublicKey: [UInt8]
    private let modulus: [UInt8]
    public let isP256: Bool

    public init(_ kind: Kind) throws {
        let arguments =
            switch kind {
            case .rsa(let bits): ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"]
            case .p256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .ed25519: ["-algorithm", "ED25519"]
            }
        try self.init(pem: Self.run(["genpkey", "-quiet"] + arguments))
    }

    /// - Parameter pem: a private key in PEM.
    public init(pem: [UInt8]) throws {
        privatePEM = pem
        encodedPublicKey = try Self.run(["pkey", "-pubout", "-outform", "DER"], input: pem)
        let text = String(decoding: try Self.run(["pkey", "-pubout", "-text", "-noout"], input: pem), as: UTF8.self)
        isP256 = text.contains("P-256")
        modulus = text.contains("Modulus") ? try Self.modulus(of: pem) : []
    }

    /// The modulus n of an RSA key, empty for other keys. The exponent e is always 65537.
    public var rsaModulus: [UInt8] { modulus }
    /// The coordinates of a P-256 key's point.
    public var x: [UInt8] { Array(encodedPublicKey.suffix(64).prefix(32)) }
    public var y: [UInt8] { Array(encodedPublicKey.suffix(32)) }
    /// The 32 bytes of an Ed25519 public key.
    public var rawPublicKey: [UInt8] { Array(encodedPublicKey.suffix(32)) }
    public var publicPEM: [UInt8] { get throws { try Self.run(["pkey", "-pubout"], input: privatePEM) } }

    /// Signs a message, in the format of RFC 7518 §3.
    ///
    /// - Parameter algorithm: `RS256`, `PS256`, `ES256`, `ES256 in DER` (the format of RFC 3279 §2.2.3) or `EdDSA`.
    public func sign(_ message: [UInt8], _ algorithm: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let key = try folder.write("key.pem", privatePEM)
        let file = try folder.write("message", message)
        let digest = ["dgst", "-sha256", "-sign", key]
        switch algorithm {
        case "RS256", "ES256 in DER": return try Self.run(digest + [file])
        case "PS256":
            let options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"]
            return try Self.run(digest + options + [file])
        case "ES256": return Self.rawSignature(try Self.run(digest + [file]))
        default: return try Self.run(["pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", file])
        }
    }

    /// Returns r and s, 32 bytes each, from a DER sequence of two integers.
    private static func rawSignature(_ encoded: [UInt8]) -> [UInt8] {
        let rLength = Int(encoded[3])
        return [encoded[4..<(4 + rLength)], encoded[(6 + rLength)...]].flatMap { number in
            let digits = number.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }

    private static func modulus(of pem: [UInt8]) throws -> [UInt8] {
        let line = String(decoding: try run(["rsa", "-modulus", "-noout"], input: pem), as: UTF8.self)
        let digits = Array(line.drop { $0 != "=" }.dropFirst().filter { !$0.isWhitespace })
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }

    private static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let outcome = try Command.run("openssl", arguments, input: input)
        guard outcome.succeeded else { throw CommandFailure(description: "openssl \(arguments): \(outcome.errors)") }
        return outcome.outputBytes
    }
}
