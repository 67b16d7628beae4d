import AlmanacCryptography
import AlmanacTestSupport
import Testing

/// Checks signatures made by the `openssl` command, and malformed ones.
@Suite struct SignatureTests {
    private static let rsa = Result { try OpenSSLKey(.rsa(bits: 2048)) }
    private static let p256 = Result { try OpenSSLKey(.p256) }
    private static let ed25519 = Result { try OpenSSLKey(.ed25519) }
    private static let message = Array("a message".utf8)

    private static func pair(_ kind: PublicKey.Kind) throws -> (OpenSSLKey, PublicKey) {
        switch kind {
        case .rsa:
            let key = try rsa.get()
            return (key, try PublicKey(rsaModulus: key.rsaModulus, exponent: [1, 0, 1]))
        case .p256:
            let key = try p256.get()
            return (key, try PublicKey(p256X: key.x, y: key.y))
        case .ed25519:
            let key = try ed25519.get()
            return (key, try PublicKey(ed25519: key.rawPublicKey))
        }
    }

    @Test(arguments: [PublicKey.Kind.rsa, .p256, .ed25519])
    func `a signature is valid by its own algorithm and no other`(kind: PublicKey.Kind) throws {
        let (signer, key) = try Self.pair(kind)
        for algorithm in kind.algorithms {
            let signature = try signer.sign(Self.message, algorithm.rawValue)
            for other in SignatureAlgorithm.allCases {
                #expect(key.isValid(signature, of: Self.message, by: other) == (other == algorithm))
            }
            #expect(!key.isValid(signature, of: [], by: algorithm))
            #expect(!key.isValid(signature + [0], of: Self.message, by: algorithm))
            #expect(!key.isValid([0] + signature, of: Self.message, by: algorithm))
            #expect(!key.isValid(signature.dropLast(), of: Self.message, by: algorithm))
            // If the halves are numbers, a zero before the second half changes only the length.
            let padded = signature[..<(signature.count / 2)] + [0] + signature[(signature.count / 2)...]
            #expect(!key.isValid(Array(padded), of: Self.message, by: algorithm))
        }
    }

    @Test(arguments: [PublicKey.Kind.rsa, .p256, .ed25519])
    func `nothing, zeros, ones and other people's signatures are not valid`(kind: PublicKey.Kind) throws {
        let (_, key) = try Self.pair(kind)
        for algorithm in kind.algorithms {
            for length in [0, 1, 32, 63, 64, 65, 70, 72, 96, 128, 255, 256, 257, 5000] {
                for byte in [0, 1, 0x30, 0x80, 0xFF] as [UInt8] {
                    let signature = [UInt8](repeating: byte, count: length)
                    #expect(!key.isValid(signature, of: Self.message, by: algorithm))
                }
            }
        }
    }

    @Test func `an ECDSA signature in DER is no signature in a token`() throws {
        let (signer, key) = try Self.pair(.p256)
        let folder = try TemporaryFolder()
        let arguments = ["dgst", "-sha256", "-sign", try folder.write("key", signer.privatePEM)]
        let encoded = try Command.run("openssl", arguments, input: Self.message).outputBytes
        #expect(encoded.count >= 68)
        #expect(!key.isValid(encoded, of: Self.message, by: .es256))
    }

    /// Checks the salt length. RFC 7518 §3.5 requires 32 bytes; OpenSSL accepts any length by default.
    @Test(arguments: ["0", "20", "max"]) func `a PSS signature with a salt of another length is not valid`(
        salt: String
    ) throws {
        let (signer, key) = try Self.pair(.rsa)
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            "openssl",
            [
                "dgst", "-sha256", "-sign", try folder.write("key", signer.privatePEM), "-sigopt",
                "rsa_padding_mode:pss",
                "-sigopt", "rsa_pss_saltlen:\(salt)",
            ], input: Self.message)
        #expect(outcome.outputBytes.count == 256)
        #expect(!key.isValid(outcome.outputBytes, of: Self.message, by: .ps256))
    }

    @Test func `many threads check with one key at once`() throws {
        for kind in [PublicKey.Kind.rsa, .p256, .ed25519] {
            let (signer, key) = try Self.pair(kind)
            let algorithm = kind.algorithms[0]
            let signature = try signer.sign(Self.message, algorithm.rawValue)
            var altered = signature
            altered[10] ^= 1
            let results = try concurrently(8) { [altered] _ in
                (0..<200).allSatisfy { _ in
                    key.isValid(signature, of: Self.message, by: algorithm)
                        && !key.isValid(altered, of: Self.message, by: algorithm)
                }
            }
            #expect(results == [Bool](repeating: true, count: 8))
        }
    }
}
