import AlmanacHTTPSClient
import Testing

@Suite struct WebAddressTests {
    @Test(arguments: [
        "https://login.example.com", "https://login.example.com/", "https://login.example.com:8443/realms/a",
        "HTTPS://Login.Example.com", "https://[2001:db8::1]/", "https://192.0.2.1", "https://a.example/b?c=d",
        "http://localhost", "http://localhost:8000/", "http://127.0.0.1:8000", "http://[::1]:8000/a",
        "http://LOCALHOST/",
    ])
    func `HTTPS anywhere and HTTP on this machine are addresses`(text: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.text == text)
        #expect(address.isEncrypted == text.lowercased().hasPrefix("https:"))
    }

    @Test(arguments: [
        "", " ", "login.example.com", "//login.example.com", "https:", "https://", "https:///path", "https://:443/",
        "http://login.example.com", "http://localhost.example.com", "http://127.0.0.1.example.com", "http://127.0.0.2",
        "http://localhost@example.com", "https://user@example.com", "https://user:secret@example.com",
        "ftp://localhost/", "file:///etc/passwd", "gopher://localhost", "https://example.com/#part",
        "https://example.com/ ", " https://example.com", "https://exa mple.com", "https://example.com/\n",
        "https://example.com:99999", "https://example.com:port", "https://exämple.com", "https://example.com/ä",
        "http://localhost\\@example.com", "http://example.com\\localhost", "http://localhost%2Eexample.com",
        "https://example.com\u{0}", "javascript:alert(1)",
    ])
    func `anything else is not`(text: String) {
        #expect(WebAddress(text) == nil)
    }
}
