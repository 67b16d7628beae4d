import Testing

@testable import AlmanacCommand

@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("stagin", "staging"), ("satging", "staging"), ("prodution", "production"), ("developmnet", "development"),
            ("stage", nil), ("staging", nil), ("x", nil), ("", nil), ("PRODUCTION", nil),
        ] as [(String, String?)])
    func `a word that is nearly another is taken for it`(typed: String, meant: String?) {
        let text = Suggestion.text(for: typed, among: ["development", "production", "staging", "staging"])
        #expect(text == meant.map { "; did you mean '\($0)'?" } ?? "")
    }

    @Test func `mistyped commands and options are answered with what was meant`() throws {
        let command = #expect(throws: UsageFailure.self) { try CommandTable.find(["confg", "list"]) }
        #expect(command?.description.hasSuffix("did you mean 'config'?") == true)
        let verb = #expect(throws: UsageFailure.self) { try CommandTable.find(["config", "promte"]) }
        #expect(verb?.description.hasSuffix("did you mean 'promote'?") == true)
        let found = try CommandTable.find(["config", "import"])
        let import_ = try #require(found.command)
        let option = #expect(throws: UsageFailure.self) { try Arguments(["--dryrun"], for: import_) }
        #expect(option?.description.hasSuffix("did you mean '--dry-run'?") == true)
    }

    @Test func `a command of two words goes before one of its first word`() throws {
        #expect(try CommandTable.find(["backup", "inspect", "a"]).command?.name == "backup inspect")
        #expect(try CommandTable.find(["backup", "production", "a"]).command?.name == "backup")
    }
}
