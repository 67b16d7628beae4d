import AlmanacCryptography
import Testing

@testable import AlmanacSignIn

@Suite struct SHA256Tests {
    // FIPS 180-4's examples and NIST's.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `digests are those of the standard`(message: String, digest: String) {
        let bytes = SHA256Digest.portable(Array(message.utf8))
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    @Test func `digests are OpenSSL's at every length around the ends of blocks`() {
        for length in 0...130 {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
            #expect(SHA256Digest.portable(message) == SHA256.digest(message))
        }
    }

    @Test func `the challenge is that of RFC 7636, appendix B`() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let challenge = AlmanacSignIn.Base64URL.encode(SHA256Digest.of(Array(verifier.utf8)))
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }
}
