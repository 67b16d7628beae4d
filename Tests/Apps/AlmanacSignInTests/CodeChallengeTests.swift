import AlmanacClientRuntime
import AlmanacCryptography
import Testing

@testable import AlmanacSignIn

@Suite struct CodeChallengeTests {
    @Test func `the challenge is that of RFC 7636, appendix B`() {
        let challenge = CodeChallenge.of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `its hash is OpenSSL's, at every length up to three blocks`() {
        for length in 0...192 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 73 + length) }
            #expect(SHA2.digest(bytes) == SHA256.digest(bytes), "\(length)")
        }
    }

    @Test func `base64 for URLs is that of the server's side, at every length`() {
        for length in 0...70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 73) }
            let text = AlmanacSignIn.Base64URL.encode(bytes)
            #expect(text == AlmanacCryptography.Base64URL.encode(bytes))
            #expect(AlmanacSignIn.Base64URL.decode(text) == bytes)
        }
    }

    @Test(arguments: ["=", "YQ==", "a+b/", "Y", "YQ\n", "Y Q"]) func `other text is no base64 for URLs`(text: String) {
        #expect(AlmanacSignIn.Base64URL.decode(text) == nil)
    }
}
