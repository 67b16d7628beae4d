import AlmanacTestSupport
import Testing

@testable import AlmanacCommand

/// Tests of the help and the usage errors of every command. They need no server.
@Suite(.blocking) struct CommandHelpTests {
    @Test(arguments: CommandTable.all.map(\.name))
    func `a command explains itself, and refuses what it does not know`(
        name: String
    ) throws {
        let almanac = try CommandLineProgram()
        let command = try #require(CommandTable.all.first { $0.name == name })
        let words = name.split(separator: " ").map(String.init)
        for help in [try almanac.run(words + ["--help"]), try almanac.run(["help"] + words)] {
            #expect(help.status == 0)
            #expect(help.output == HelpText.of(command))
            #expect(help.errors == "")
        }
        let sample = command.operands.map(\.name)
        var mistakes = [words + sample + ["--no-such-option"], words + sample + ["--json=yes"]]
        if !command.operands.contains(where: \.isRepeated) { mistakes.append(words + sample + ["more"]) }
        if command.operands.contains(where: { !$0.isOptional }) { mistakes.append(words) }
        for option in command.options where option.value != nil { mistakes.append(words + sample + [option.name]) }
        for mistake in mistakes {
            #expect(throws: UsageFailure.self, "\(mistake)") {
                try Arguments(Array(mistake.dropFirst(words.count)), for: command)
            }
        }
        let outcome = try almanac.run(mistakes[0])
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasSuffix("Try: almanac \(name) --help\n"), "\(outcome.errors)")
        #expect(outcome.output == "")
    }
}
