import AlmanacClientRuntime
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a b+c", "a%20b%2Bc"), ("../é?", "..%2F%C3%A9%3F"),
        ("\u{0}\n%", "%00%0A%25"), ("😸", "%F0%9F%98%B8"),
    ])
    func `everything but what is unreserved is encoded, byte by byte`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
    }

    @Test func `names and values are encoded as pairs`() {
        #expect(PercentEncoding.encode([("a&", "1=2"), ("b", "")]) == "a%26=1%3D2&b=")
        #expect(PercentEncoding.encode([]) == "")
    }
}
