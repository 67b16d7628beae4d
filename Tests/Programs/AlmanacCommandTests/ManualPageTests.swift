import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacCommand

@Suite struct ManualPageTests {
    private static let hasGroff = (try? File.exists("/usr/bin/groff")) == true

    @Test func `every command has a page with all of its options, and a line in the program's own`() throws {
        let pages = Dictionary(uniqueKeysWithValues: ManualPage.all.map { ($0.file, $0.text) })
        #expect(pages.count == CommandTable.all.count + 1)
        let overview = try #require(pages["almanac.1"])
        for command in CommandTable.all {
            let name = command.name.replacing(" ", with: "-")
            let page = try #require(pages["almanac-\(name).1"])
            #expect(overview.contains("almanac\\-\(name.replacing("-", with: "\\-"))\\fR(1)"))
            for option in command.options { #expect(page.contains(option.name.replacing("-", with: "\\-"))) }
            for section in ["NAME", "SYNOPSIS", "EXAMPLES", "SEE ALSO"] { #expect(page.contains(".SH \(section)\n")) }
        }
    }

    @Test(.enabled(if: hasGroff)) func `groff finds no fault with them`() throws {
        let folder = try TemporaryFolder()
        try ManualPage.write(into: folder.path)
        let files = ManualPage.all.map { "\(folder.path)/\($0.file)" }
        let outcome = try run("groff", ["-z", "-man", "-Tutf8", "-ww"] + files)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test(.enabled(if: hasGroff)) func `a page shows quotes, hyphens and dots as they are typed`() throws {
        let folder = try TemporaryFolder()
        let command = AlmanacCommand.Command(
            name: "try it", summary: "Try it.", options: [.json, .message],
            details: "First line.\n.not a request\n'nor this \\ - \"quoted\"\n\nNext.\n  { \"as\": 'it',\n    is }\n",
            example: "$ almanac try it '{\"a\": \"\\n\"}' --json ~/x `y` ^z …\n\n.end"
        ) { _ in .success }
        let path = try folder.write("try.1", ManualPage.of(command).utf8)
        let outcome = try run("groff", ["-man", "-Tutf8", "-ww", "-P-cbou", path])
        #expect(outcome.errors == "")
        for line in [
            "almanac-try-it - Try it", "almanac try it [OPTION ...]", ".not a request 'nor this \\ - \"quoted\"",
            "  { \"as\": 'it',\n", "$ almanac try it '{\"a\": \"\\n\"}' --json ~/x `y` ^z …\n", "       .end\n",
            "-m, --message TEXT",
        ] {
            #expect(outcome.output.contains(line), "\(line) in \(outcome.output)")
        }
    }
}

/// Names the full type, because the tested program has its own `Command`.
private func run(_ program: String, _ arguments: [String]) throws -> AlmanacTestSupport.Command.Outcome {
    try AlmanacTestSupport.Command.run(program, arguments)
}
