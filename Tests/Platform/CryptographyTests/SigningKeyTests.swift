import AlmanacCryptography
import AlmanacTestSupport
import Testing

@Suite struct SigningKeyTests {
    private let message = Array("a message".utf8)

    /// Signs the message of RFC 8032 §7.1, test 1. The private key is also that of RFC 8037 appendix A.1.
    @Test func `a known key makes the known signature`() throws {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----

            """
        let key = try SigningKey(pem: Array(pem.utf8))
        #expect(
            Hex.encode(key.sign([]))
                == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b")
        #expect(key.pem == Array(pem.utf8))
    }

    @Test func `a new key signs what its public half finds valid`() {
        let key = SigningKey()
        let signature = key.sign(message)
        #expect(key.publicKey.isValid(signature, of: message, by: .edDSA))
        #expect(!SigningKey().publicKey.isValid(signature, of: message, by: .edDSA))
        #expect(!key.publicKey.isValid(signature, of: message + [0], by: .edDSA))
    }

    @Test func `both halves read back from their texts`() throws {
        let key = SigningKey()
        let same = try SigningKey(pem: key.pem)
        #expect(same.sign(message) == key.sign(message))
        let publicKey = try PublicKey(ed25519PEM: key.publicKey.pem)
        #expect(publicKey.fingerprint == key.publicKey.fingerprint)
        #expect(publicKey.isValid(key.sign(message), of: message, by: .edDSA))
    }

    @Test func `the openssl command reads the texts, and its texts are read`() throws {
        let key = SigningKey()
        let foreign = try OpenSSLKey(pem: key.pem)
        #expect(try foreign.publicPEM == key.publicKey.pem)
        #expect(try foreign.sign(message, "EdDSA") == key.sign(message))
        let made = try OpenSSLKey(.ed25519)
        #expect(try SigningKey(pem: made.privatePEM).publicKey.pem == made.publicPEM)
    }

    @Test func `the text of the public half holds no secret`() {
        let text = String(decoding: SigningKey().publicKey.pem, as: UTF8.self)
        #expect(text.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        #expect(!text.contains("PRIVATE"))
    }

    @Test func `texts without an Ed25519 key are refused`() throws {
        let rsa = try OpenSSLKey(.rsa(bits: 2048))
        let encrypted = try Command.run(
            "openssl", ["pkey", "-aes256", "-passout", "pass:secret"], input: SigningKey().pem)
        #expect(encrypted.output.contains("ENCRYPTED"))
        let texts = [
            [], Array("nothing".utf8), SigningKey().publicKey.pem, rsa.privatePEM,
            try OpenSSLKey(.p256).privatePEM,
            encrypted.outputBytes, Array(SigningKey().pem.prefix(60)), [UInt8](repeating: 0, count: 100),
        ]
        for text in texts {
            #expect(throws: KeyFailure.noKeyInText) { try SigningKey(pem: text) }
        }
        for text in [[], Array("nothing".utf8), SigningKey().pem, try rsa.publicPEM] {
            #expect(throws: KeyFailure.noKeyInText) { try PublicKey(ed25519PEM: text) }
        }
    }
}
