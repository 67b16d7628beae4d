import Testing

@testable import AlmanacSignIn

@Suite struct FormTests {
    @Test func `an encoded form is decoded to the same bytes`() throws {
        let texts = ["", "a b+c", "ü😸", "%", "&=?#/:", "-._~", "\u{0}\u{7F}\r\n", "e\u{301}"]
        for text in texts {
            let encoded = PercentEncoding.encode([("name", text)])
            #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let decoded = try #require(Form.decode(encoded)?["name"])
            #expect(Array(decoded.utf8) == Array(text.utf8))
        }
        #expect(PercentEncoding.encode([("a", "ü \n"), ("b", "~")]) == "a=%C3%BC%20%0A&b=~")
    }

    @Test(arguments: ["a=%", "a=%4", "a=%4g", "a=%+1", "a=%-1", "a=% 1", "a=%FF", "a=1&a=2", "a=1&%61=2", "%ZZ=1"])
    func `a text that is no form, or says something twice, is none`(text: String) {
        #expect(Form.decode(text) == nil)
    }

    @Test func `a plus is a space, and a name may have no value`() {
        #expect(Form.decode("a=b+c&d&&e=") == ["a": "b c", "d": "", "e": ""])
    }
}
