import AlmanacClient
import AlmanacTestSupport
import Testing

@Suite struct ProfileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> ProfileFile? {
        try ProfileFile(folder.write("profile.json", Array(text.utf8)))
    }

    @Test func `a profile's files lie beside it, in the home folder, or where their path says`() throws {
        let file = try #require(
            try file(
                """
                {"default": "b", "profiles": {
                    "a": {"url": "https://a.example", "token_file": "/a/token", "ca_file": "ca.pem"},
                    "b": {"environment": "staging", "token_file": "~/b.token"}}}
                """))
        #expect(file.profiles.map(\.name) == ["a", "b"])
        let first = Profile(url: "https://a.example", tokenFile: "/a/token", caFile: "\(folder.path)/ca.pem")
        #expect(file.profile("a") == first)
        #expect(file.profile()?.environment == "staging")
        #expect(file.profile()?.tokenFile?.hasSuffix("/b.token") == true)
        #expect(file.profile()?.tokenFile?.hasPrefix("~") == false)
        #expect(file.profile("c") == nil)
    }

    @Test func `the only profile needs no default`() throws {
        #expect(try file(#"{"profiles": {"a": {"url": "https://a.example"}}}"#)?.profile()?.url == "https://a.example")
        #expect(try file(#"{"profiles": {"a": {}, "b": {}}}"#)?.profile() == nil)
        #expect(try ProfileFile("\(folder.path)/nothing.json") == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"profiles": []}"#, #"{"profiles": {"a": []}}"#, #"{"profiles": {"a": {"urls": "x"}}}"#,
        #"{"profiles": {"a": {"url": 1}}}"#, #"{"profiles": {"a": {"token": "secret"}}}"#, #"{"profiles": {}, "x": 1}"#,
        #"{"profiles": {"a": {}}, "default": "b"}"#,
    ])
    func `a file of another form is refused, and says what was expected`(text: String) throws {
        let failure = try #require(throws: SettingsFailure.self) { try file(text) }
        #expect(failure.description.hasPrefix("profile file \(folder.path)/profile.json: "))
        #expect(!failure.description.contains("secret"))
    }

    @Test func `a setting that one profile leaves open comes from another`() {
        let flags = Profile(environment: "staging")
        let rest = Profile(url: "https://a.example", environment: "development", caFile: "ca.pem")
        #expect(
            flags.completed(by: rest) == Profile(url: "https://a.example", environment: "staging", caFile: "ca.pem"))
    }
}
