import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the commands by which an operator answers the requests of users who can't sign in any more.
    @Suite struct CommandAccountTests {
        private let almanac: CommandLineProgram
        private let folder: TemporaryFolder
        private let user: NotesUser

        init() throws {
            almanac = try CommandLineProgram()
            folder = try TemporaryFolder()
            user = try NotesUser("requester")
            try user.client().create(("n1", "a diary"))
        }

        /// Returns the options that name the user, found by the subject.
        private func name() throws -> [String] {
            let found = try almanac.json("account", "list", "development", "--subject", user.subject).objectValue
            let account = try #require(found?["accounts"]?.arrayValue?.first?.objectValue)
            #expect(account["notes"] == .some(1))
            #expect(try #require(found?["limits"]?.objectValue?["notes"]?.numberValue?.int64) > 1)
            return ["--issuer", try #require(account["issuer"]?.stringValue), "--subject", user.subject]
        }

        @Test func `the export goes to standard output, or to a new file that only the operator reads`() throws {
            let name = try name()
            let words = ["account", "export", "development"] + name
            let printed = try almanac.run(words)
            #expect(printed.status == 0 && printed.output.contains("a diary"), "\(printed.errors)")
            #expect(try JSONValue(parsing: printed.outputBytes).objectValue?["subject"] == .some(.string(user.subject)))
            let file = "\(folder.path)/user.json"
            #expect(try almanac.run(words + ["--output", file]).status == 0)
            #expect(try Command.run("stat", ["-c", "%a", file]).output == "600\n")
            #expect(try Command.run("jq", ["-r", ".notes[0].body", file]).output == "a diary\n")
            let again = try almanac.run(words + ["--output", file])
            #expect(again.status == 1 && again.errors.contains("already exists"), "\(again.errors)")
            let unknown = try almanac.run(
                ["account", "export", "development", "--issuer", "x", "--subject", "y", "--output", file + "2"])
            #expect(unknown.status == 3 && unknown.errors.contains("has no account of 'y' from 'x'"))
            #expect(try File.names(inFolder: folder.path) == ["user.json"])
            #expect(try almanac.run("account", "export", "development", "--subject", "y").status == 2)
        }

        @Test func `an erasure needs --yes, ends the user's streams, and survives a restore`() throws {
            let words = try ["account", "erase", "development"] + name()
            let file = "\(folder.path)/before.dump"
            _ = try almanac.output("backup", "development", file)
            let stream = try user.stream()
            #expect(try stream.next("hello") != nil)
            let refused = try almanac.run(words)
            #expect(refused.status == 2 && refused.errors.contains("--yes"), "\(refused.errors)")
            #expect(try user.client().body("n1") == "a diary")
            let erased = try almanac.run(words + ["--yes"])
            #expect(erased.output == "the account \(user.subject) is erased\n", "\(erased.errors)")
            #expect(try stream.next("bye")?.text("reason") == "account-erased")
            #expect(try almanac.run(words + ["--yes"]).status == 3)
            _ = try almanac.output("restore", "development", file, "--yes")
            #expect(try !user.client().send("GET", "account").text.contains("a diary"))
            let entry = try almanac.json("audit", "--action", "account.erase", "--limit", "1").arrayValue?.first
            #expect(entry?.objectValue?["author_kind"] == .some("host"))
            let log = try almanac.run("audit", "--action", "account.erase", "--limit", "1000", "--json")
            let saved = try folder.write("erasures.json", log.outputBytes)
            let trial = try almanac.run("restore", "development", file, "--dry-run", "--erasures", saved)
            #expect(trial.status == 0 && trial.errors.contains("account.erase"), "\(trial.errors)")
        }
    }
}
