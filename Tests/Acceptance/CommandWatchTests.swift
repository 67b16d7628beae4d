import AlmanacJSON
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    @Suite struct CommandWatchTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment

        init() throws { (almanac, development) = try (CommandLineProgram(), LiveEnvironment("development")) }

        /// Starts a watch and waits until it has connected.
        private func watch(_ options: String...) throws -> BackgroundCommand {
            let program = try BackgroundCommand(
                almanac.instance.path("bin/almanac"), ["config", "watch", "--json"] + options,
                environment: [
                    "ALMANAC_URL": almanac.instance.url, "ALMANAC_CA_FILE": almanac.instance.caFile,
                    "ALMANAC_ENVIRONMENT": "development",
                    "ALMANAC_TOKEN_FILE": almanac.instance.path("tokens/{environment}.token"),
                ])
            try #require(
                eventually(within: .seconds(10)) { errors(program).contains("connected") }, "\(errors(program))")
            return program
        }

        private func errors(_ program: BackgroundCommand) -> String {
            String(decoding: program.errorBytes, as: UTF8.self)
        }

        private func printed(_ program: BackgroundCommand) -> [JSONObject] {
            program.outputBytes.split(separator: 10).compactMap { try? JSONValue(parsing: Array($0)).objectValue }
        }

        private func revisions(_ program: BackgroundCommand) -> [Int64] {
            printed(program).compactMap { $0["revision"]?.numberValue?.int64 }
        }

        @Test func `changes are printed as they happen, each once, until Ctrl-C`() throws {
            let first = try #require(try development.reset(to: ["a": 1, "b": 1]).revision)
            let program = try watch()
            for value in 2...6 {
                #expect(
                    try development.client().put(development.path("config/a"), .number(JSONNumber(value))).status == 200
                )
                let revision = first + Int64(value) - 1
                #expect(eventually { revisions(program).last == revision }, "\(errors(program))")
            }
            #expect(try development.client().send("DELETE", development.path("config/b")).status == 200)
            #expect(eventually { revisions(program) == Array(first + 1...first + 6) })
            let removal = try #require(printed(program).last?["entries"]?.arrayValue?.first?.objectValue)
            #expect(removal["key"] == "b" && removal["deleted"] == true)
            #expect(printed(program).allSatisfy { $0["type"] == "change" })
            program.send(signal: SIGINT)
            #expect(program.wait(upTo: .seconds(5)) == 130)
        }

        @Test func `changes before the stream, or while it was away, are not missed`() throws {
            let first = try #require(try development.reset(to: ["a": 1]).revision)
            _ = try development.client().put(development.path("config/a"), 2)
            let program = try watch("--since", "\(first)")
            #expect(eventually { revisions(program) == [first + 1] })
            try service("stop", "events")
            #expect(eventually { errors(program).contains("retrying in") })
            _ = try development.client().put(development.path("config/a"), 3)
            try service("start", "events")
            #expect(
                eventually(within: .seconds(30)) { revisions(program) == [first + 1, first + 2] }, "\(errors(program))")
        }

        @Test func `a restored backup is printed as a whole config`() throws {
            try development.reset(to: ["a": 1])
            let folder = try TemporaryFolder()
            _ = try almanac.output("backup", "development", "\(folder.path)/dump")
            _ = try development.client().put(development.path("config/a"), 2)
            let program = try watch()
            _ = try almanac.output("restore", "development", "\(folder.path)/dump", "--yes")
            // The next ping at the latest carries the new lineage.
            #expect(
                eventually(within: .seconds(30)) { printed(program).last?["type"] == "whole" }, "\(errors(program))")
            #expect(printed(program).last?["entries"]?.arrayValue?.first?.objectValue?["value"] == 1)
            _ = try development.client().put(development.path("config/a"), 5)
            #expect(eventually(within: .seconds(30)) { printed(program).last?["type"] == "change" })
        }

        @Test func `a watch that nobody may have ends at once`() throws {
            let folder = try TemporaryFolder()
            let token = "almanac_development_" + String(repeating: "x", count: 43)
            let stranger = try CommandLineProgram(["ALMANAC_TOKEN_FILE": folder.write("token", token.utf8)])
            #expect(try stranger.run("config", "watch", within: .seconds(10)).status == 5)
            let tokenless = try CommandLineProgram(["ALMANAC_TOKEN_FILE": ""])
            #expect(try tokenless.run("config", "watch", "-e", "nowhere", within: .seconds(10)).status == 2)
            #expect(try almanac.run("config", "watch", "--since", "yesterday", within: .seconds(10)).status == 2)
        }

        private func service(_ action: String, _ name: String) throws {
            let outcome = try Command.run("\(almanac.instance.checkout)/deploy/run", ["--\(action)-service", name])
            try #require(outcome.succeeded, "\(outcome.errors)")
        }
    }
}
