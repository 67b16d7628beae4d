import AlmanacWebhooks
import Testing

@Suite struct HookURLTests {
    @Test(arguments: [
        ("https://example.com", "example.com"), ("HTTPS://Example.COM:8443/a?b=c", "example.com"),
        ("https://1.1.1.1/x", "1.1.1.1"), ("https://[2606:4700::1111]:443/", "2606:4700::1111"),
        ("https://example.com?x", "example.com"),
    ])
    func `public receivers are accepted`(_ text: String, _ host: String) throws {
        #expect(try HookURL(text, for: .publicOnly).host == host)
    }

    @Test(
        arguments: [
            ("http://example.com/", HookFault.plainHTTP), ("https://example.com:8080/", nil),
            ("https://a:b@example.com/", .userName), ("https://example.com\\@10.0.0.1/", .noURL),
            ("https://example.com/#x", .fragment), ("https://127.0.0.1/", .privateAddress("127.0.0.1")),
            ("https://[::ffff:10.0.0.1]/", .privateAddress("::ffff:10.0.0.1")), ("https://127.1/", .noURL),
            ("https://2130706433/", .noURL), ("https://0x7f.1/", .noURL), ("https://0177.0.0.1/", .noURL),
            ("https://example.0x10/", .noURL), ("https:///example.com/", .noURL), ("https://exämple.com/", .noURL),
            ("https://example.com:0/", .noURL), ("https://example.com:/", .noURL), ("ftp://example.com/", .noURL),
            ("https://[::1%25lo]/", .noURL), ("https://a b/", .noURL), ("//example.com/", .noURL),
            ("https://example..com/", .noURL), ("https://\(String(repeating: "a", count: 2048))/", .longURL),
        ] as [(String, HookFault?)])
    func `other URLs are refused`(_ text: String, _ expected: HookFault?) {
        do throws(HookFault) {
            let url = try HookURL(text, for: .publicOnly)
            Issue.record("\(url.text) was accepted")
        } catch { #expect(expected.map { $0 == error } ?? "\(error)".hasPrefix("port 8080 is not allowed")) }
    }

    @Test func `the environments file allows more`() throws {
        let rules = try ReachableAddresses(allow: ["127.0.0.0/8"], http: true, ports: [8065])
        #expect(try HookURL("http://127.0.0.1:8065/hooks/x", for: rules).host == "127.0.0.1")
        #expect(try HookURL("http://chat.example.com/", for: rules).host == "chat.example.com")
        #expect(throws: HookFault.privateAddress("10.0.0.1")) { try HookURL("http://10.0.0.1/", for: rules) }
    }
}
