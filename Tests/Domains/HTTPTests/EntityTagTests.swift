import AlmanacHTTP
import Testing

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("*", .any), (" * ", .any),
            (#""43""#, .listed(["43"])), (#"W/"43""#, .listed(["43"])), (#""""#, .listed([""])),
            (#""43", "44""#, .listed(["43", "44"])), (" \"43\"  ,W/\"44\"\t,\"45\" ", .listed(["43", "44", "45"])),
            (#""a,b""#, .listed(["a,b"])), (#""a\""#, .listed([#"a\"#])), (#""*""#, .listed(["*"])),
            (#""43","#, .listed(["43"])), (#",, "43" ,, "44","#, .listed(["43", "44"])), ("43", .listed(["43"])),
            (#"W/43, "44",45.k3f9 "#, .listed(["43", "44", "45.k3f9"])),
        ] as [(String, EntityTags)])
    func `tags are read, weak as strong`(text: String, expected: EntityTags) {
        #expect(EntityTags(text) == expected)
    }

    @Test(arguments: [
        "", " ", #""43"#, #"43""#, #"w/"43""#, "W/", #""43" "44""#, #""43";"44""#, #"*, "43""#, ",", #""43", *"#, "**",
        "43 44", #"43, 4"4"#, ", ,",
    ])
    func `a value that is neither a star nor a list of quoted tags is refused by the header's name`(text: String) {
        #expect(EntityTags(text) == nil)
        let problem = problem { try Headers([("if-match", text)]).entityTags("If-Match") }
        #expect(problem?.kind == .invalidHeader)
        #expect(problem?.detail.contains("If-Match") == true)
    }

    @Test func `a star matches every tag and a list only its own`() throws {
        #expect(EntityTags.any.matches("43.k3f9"))
        let tags = try #require(EntityTags(#"W/"43.k3f9", "44.k3f9""#))
        #expect(tags.matches("43.k3f9"))
        #expect(tags.matches("44.k3f9"))
        #expect(!tags.matches("43"))
        #expect(!tags.matches("43.K3F9"))
        #expect(!tags.matches(""))
    }

    @Test func `tags are the same by their bytes only`() throws {
        #expect(!EntityTags.listed(["e\u{301}"]).matches("\u{e9}"))
    }

    @Test func `the lines of a header are one list`() throws {
        let headers = Headers([("If-None-Match", #""43""#), ("Accept", "text/html"), ("if-none-match", #"W/"44""#)])
        #expect(try headers.entityTags("If-None-Match") == .listed(["43", "44"]))
        let lines: [(name: String, value: String)] = [("Accept", "text/html"), ("Accept", "application/json")]
        let request = Request(method: "GET", target: try Target("/"), headers: Headers(lines), id: "test")
        try request.accepts("application/json")
    }

    @Test func `a header that isn't sent has no tags`() throws {
        #expect(try Headers().entityTags("If-None-Match") == nil)
        #expect(try Headers([("If-None-Match", "*")]).entityTags("If-None-Match") == .any)
    }
}
