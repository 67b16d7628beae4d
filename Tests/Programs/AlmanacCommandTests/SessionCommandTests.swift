import Testing

@testable import AlmanacCommand

@Suite struct SessionCommandTests {
    @Test(
        arguments: [
            ("https://localhost:8443", "https://console.localhost:8443/"),
            ("https://almanac.example.com", "https://console.almanac.example.com/"),
            ("https://almanac.example.com/", "https://console.almanac.example.com/"),
            ("https://console.almanac.example.com", "https://console.almanac.example.com/"),
            ("https://127.0.0.1:8443", nil), ("https://[::1]:8443", nil), ("almanac.example.com", nil),
        ] as [(String, String?)])
    func `the pages are beside the server, where that has a name`(server: String, page: String?) {
        #expect(SessionCommands.page("console", beside: server) == page)
    }
}
