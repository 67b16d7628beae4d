import AlmanacIdentity
import Testing

@Suite struct APITokenTests {
    @Test func `a new token names its environment and has 256 random bits in the URL alphabet`() {
        let tokens = (0..<100).map { _ in APIToken(environment: "staging-2").text }
        #expect(Set(tokens).count == 100)
        for token in tokens {
            #expect(token.hasPrefix("almanac_staging-2_"))
            let random = token.utf8.dropFirst("almanac_staging-2_".utf8.count)
            #expect(random.count == 43)
            #expect(
                random.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                        || "-_".utf8.contains(byte)
                })
        }
    }

    @Test func `a token is read back in its own environment only`() {
        let text = APIToken(environment: "staging").text
        #expect(APIToken(text, environment: "staging")?.text == text)
        for other in ["production", "stagin", "staging-2", "Staging", ""] {
            #expect(APIToken(text, environment: other) == nil)
        }
    }

    @Test(arguments: ["", "almanac_staging_", "almanac_staging", "Bearer"])
    func `a text of another form is none`(text: String) {
        #expect(APIToken(text, environment: "staging") == nil)
    }

    @Test func `a token with a part missing or too much is none`() {
        let text = APIToken(environment: "staging").text
        for wrong in [String(text.dropLast()), text + "A", " " + text.dropFirst(), text.uppercased()] {
            #expect(APIToken(wrong, environment: "staging") == nil)
        }
    }

    @Test func `the digest is that of the whole text`() throws {
        let text = "almanac_staging_" + String(repeating: "A", count: 43)
        let digest = try #require(APIToken(text, environment: "staging")).digest
        // Computed with: printf %s almanac_staging_AAA… | sha256sum
        #expect(
            digest == [
                0xc7, 0x7d, 0xca, 0x1b, 0x52, 0xb8, 0x01, 0x15, 0xb6, 0x48, 0xc8, 0x46, 0x0e, 0xee, 0xe3, 0x22,
                0xe1, 0xa9, 0xbf, 0x02, 0xf1, 0xef, 0x23, 0x07, 0x9b, 0xef, 0x92, 0x02, 0xa2, 0xb1, 0x09, 0x80,
            ])
    }
}
