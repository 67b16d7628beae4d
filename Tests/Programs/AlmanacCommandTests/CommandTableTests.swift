import Testing

@testable import AlmanacCommand

@Suite struct CommandTableTests {
    @Test(arguments: CommandTable.all.map(\.name)) func `a command's help teaches with an example of its own`(
        name: String
    ) throws {
        let command = try #require(CommandTable.all.first { $0.name == name })
        let help = HelpText.of(command)
        #expect(help.hasPrefix("almanac \(name)"))
        #expect(command.example.contains("almanac \(name)"), "\(name)")
        #expect(command.option("--json") != nil, "\(name) has no --json")
        #expect(command.summary.hasSuffix("."))
        for option in command.options { #expect(help.contains(option.usage)) }
        #expect(HelpText.overview.contains("  \(name) "))
    }

    @Test func `no two commands and no two options of one have the same name`() {
        #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
        for command in CommandTable.all {
            let names = command.options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }

    @Test func `a word that is no command is answered with those that are`() throws {
        for (words, expected) in [(["confg"], "config"), (["config", "gt"], "get, list"), (["config"], "get, list")] {
            let failure = try #require(throws: UsageFailure.self) { try CommandTable.find(words) }
            #expect(failure.description.contains(expected))
        }
    }

    @Test(arguments: [
        (["confg"], "did you mean 'config'?"), (["config", "gte"], "did you mean 'get'?"),
        (["tokne", "list"], "did you mean 'token'?"), (["config", "promot"], "did you mean 'promote'?"),
    ])
    func `a word with a slip in it is answered with the one that was meant`(words: [String], hint: String) throws {
        let failure = try #require(throws: UsageFailure.self) { try CommandTable.find(words) }
        #expect(failure.description.hasSuffix("; \(hint)"))
    }

    @Test func `an option with a slip is answered too, and a word that is like none is not`() throws {
        let list = try #require(CommandTable.all.first { $0.name == "config list" })
        let slip = try #require(throws: UsageFailure.self) { try Arguments(["--jsno"], for: list) }
        #expect(slip.description == "unknown option '--jsno'; did you mean '--json'?")
        let other = try #require(throws: UsageFailure.self) { try Arguments(["--whatever"], for: list) }
        #expect(other.description == "unknown option '--whatever'")
        #expect(throws: UsageFailure.self) { try CommandTable.find(["zebra"]) }
        #expect(Suggestion.text(for: "zebra", among: CommandTable.topics) == "")
        #expect(Suggestion.distance("", "abc") == 3 && Suggestion.distance("abcd", "abdc") == 1)
    }

    @Test(arguments: ["config generate", "flags generate"])
    func `a language without generated keys is answered with those that have them`(name: String) throws {
        let command = try #require(CommandTable.all.first { $0.name == name })
        for language in ["swift", "typescript", "kotlin"] {
            #expect("\(try KeySource.language(Arguments([language], for: command)))" == language)
            #expect(command.details.contains(language))
        }
        let failure = try #require(throws: UsageFailure.self) {
            try KeySource.language(Arguments(["Kotlin"], for: command))
        }
        #expect(failure.description == "unknown language 'Kotlin'; expected one of swift, typescript, kotlin")
    }

    @Test func `completion offers what the table has for the place`() {
        #expect(Completion.candidates(for: ["co"]) == ["config"])
        #expect(Completion.candidates(for: ["config", "un"]) == ["unset"])
        #expect(Completion.candidates(for: ["config", "generate", ""]) == ["swift", "typescript", "kotlin"])
        #expect(Completion.candidates(for: ["config", "get", "--pro"]) == ["--profile", "--profile-file"])
        #expect(Completion.candidates(for: ["config", "export", "--output", ""]) == [":file"])
        #expect(Completion.candidates(for: ["config", "import", "-"]).contains("--dry-run"))
        #expect(Completion.candidates(for: ["config", "import", ""]) == [":file"])
        #expect(Completion.candidates(for: ["config", "get", ""]) == [])
        #expect(
            Completion.candidates(for: ["token", "create", "x", "--scope", "config:"]) == [
                "config:read", "config:write", "config:propose", "config:approve", "config:bypass",
            ])
        #expect(Completion.candidates(for: ["config", "search", "x", "--in", ""]) == ["keys", "values"])
        #expect(Completion.candidates(for: ["config", "purge", "--y"]) == ["--yes"])
        #expect(Completion.candidates(for: ["account", ""]) == ["delete", "list", "export", "erase"])
        #expect(Completion.candidates(for: ["nonsense", ""]) == [])
        #expect(Completion.candidates(for: []).contains("config"))
    }

    @Test func `a command of two words goes before one of its first word`() throws {
        #expect(try CommandTable.find(["backup", "inspect", "a"]).command?.name == "backup inspect")
        #expect(try CommandTable.find(["backup", "production", "a"]).command?.name == "backup")
    }
}
