import AlmanacCryptography
import Testing

@Suite struct Base64URLTests {
    /// Encodes the examples of RFC 4648 section 10 without padding, and bytes that need the two digits in which
    /// Base64URL differs from Base64.
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
            ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg"), ([0x66, 0x6F, 0x6F, 0x62, 0x61], "Zm9vYmE"),
            ([0x66, 0x6F, 0x6F, 0x62, 0x61, 0x72], "Zm9vYmFy"),
            ([0xFB, 0xFF, 0xBF], "-_-_"), ([0xFF], "_w"), ([0x00, 0x00], "AAA"),
        ] as [([UInt8], String)])
    func `bytes and text belong together`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: [
        "Z", "A", "Zm9vY", "AAAAA", "Zg==", "Zm8=", "=", "Zh", "Zm9", "+/+/", "Zm 8", "Zm8\n", "Zm8\u{0}", "Zm8é",
        "Ｚg",
        ".",
    ])
    func `padding, foreign characters and left-over bits are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: 0...70) func `every length reads back`(count: Int) {
        let bytes = RandomBytes.make(count: count)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
}
