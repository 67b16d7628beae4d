import AlmanacHTTP
import Testing

@Suite struct TargetTests {
    @Test(
        arguments: [
            ("/", [""]),
            ("/development/config", ["development", "config"]),
            ("/development/config/", ["development", "config", ""]),
            ("//config", ["", "config"]),
            ("/a//b", ["a", "", "b"]),
            ("/app%2Ffun/b", ["app/fun", "b"]),
            ("/a+b", ["a+b"]),
            ("/a%20b%2fc", ["a b/c"]),
            ("/%F0%9F%98%B8", ["😸"]),
            ("/😸", ["😸"]),
            ("/%00", ["\0"]),
            ("/a/../b", ["a", "..", "b"]),
            ("/a:b@c;d=e", ["a:b@c;d=e"]),
        ] as [(String, [String])])
    func `the path is decoded segment by segment`(text: String, expected: [String]) throws {
        #expect(try Target(text).segments == expected)
    }

    @Test(arguments: [
        "/%", "/%4", "/%4g", "/%g4", "/a%2", "/%%41", "/%ff", "/%C3", "/%C0%AF", "/%ED%A0%80", "/%F5%80%80%80",
    ])
    func `an escape that is malformed or no UTF-8 is refused`(text: String) {
        #expect(problem { try Target(text) }?.kind == .invalidRequest)
    }

    @Test(arguments: ["", "*", "development/config", "https://localhost/development/config", "?a=1"])
    func `a target that doesn't start with a slash is refused`(text: String) {
        #expect(problem { try Target(text) }?.kind == .invalidRequest)
    }

    @Test func `a slash before a combining mark still separates`() throws {
        let segments = try Target("/a/\u{301}b").segments
        #expect(segments.map { bytes($0) } == [bytes("a"), bytes("\u{301}b")])
    }

    @Test func `the query begins at the first question mark`() throws {
        let target = try Target("/a?b=c?d")
        #expect(target.segments == ["a"])
        #expect(target.query["b"] == "c?d")
        #expect(try Target("/a%3Fb").segments == ["a?b"])
        #expect(try Target("/a%3Fb").query.isEmpty)
    }

    @Test func `an environment found by other means becomes the first segment`() throws {
        #expect(try Target("/config", environment: "staging").segments == ["staging", "config"])
    }
}
