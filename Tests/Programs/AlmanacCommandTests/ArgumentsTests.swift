import Testing

@testable import AlmanacCommand

@Suite struct ArgumentsTests {
    private let command = Command(
        name: "try", summary: "",
        operands: [Operand(name: "A"), Operand(name: "B", isOptional: true, isRepeated: true)],
        options: [
            .json, Option(name: "--text", short: "-t", value: "TEXT", help: ""),
            Option(name: "--many", value: "TEXT", help: "", isRepeated: true),
        ],
        example: ""
    ) { _ in .success }

    @Test func `options stand anywhere, with their value behind a blank or an equals sign`() throws {
        let arguments = try Arguments(
            ["--many", "1", "a", "--many=2=3", "-t", "--json", "b", "c", "--json"], for: command)
        #expect(arguments.operand("A") == "a")
        #expect(arguments.all(of: "B") == ["b", "c"])
        #expect(arguments.all("--many") == ["1", "2=3"])
        #expect(arguments.option("--text") == "--json")
        #expect(arguments.wantsJSON)
    }

    @Test func `a hyphen, a negative number and what follows two hyphens are plain words`() throws {
        let arguments = try Arguments(["-", "-5", "--", "--json"], for: command)
        #expect(arguments.operand("A") == "-")
        #expect(arguments.all(of: "B") == ["-5", "--json"])
        #expect(!arguments.wantsJSON)
    }

    @Test(arguments: [
        ([], "missing argument A"), (["a", "--tex", "x"], "unknown option '--tex'; did you mean '--text'?"),
        (["a", "--text"], "--text needs a value: TEXT"),
        (["a", "--json=1"], "--json takes no value"), (["a", "-t", "1", "--text", "2"], "--text is given twice"),
    ])
    func `a word that cannot be understood is named`(words: [String], message: String) throws {
        let failure = try #require(throws: UsageFailure.self) { try Arguments(words, for: command) }
        #expect(failure.description == message)
    }
}
