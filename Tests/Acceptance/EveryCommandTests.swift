import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacCommand

extension Live {
    /// Tests that start every command of the program's own list from a shell.
    @Suite struct EveryCommandTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            folder = try TemporaryFolder()
        }

        private static func words(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }

        /// The commands that no single line can test, with their tests. Every other command needs an example below.
        private static let triedElsewhere = [
            "config watch": "CommandWatchTests, for it has no end", "login": "CommandLoginTests",
            "logout": "CommandLoginTests",
            "people role": "CommandPeopleTests", "note keep": "CommandNotesTests", "note discard": "CommandNotesTests",
        ]

        /// The commands that also work without the server. Their changes stay pending.
        private static let worksOffline: Set = ["note create", "note import"]

        /// Returns successful arguments for each other command.
        private func examples() throws -> [String: [String]] {
            let user = try NotesUser("walker")
            try user.client().create(("n1", "milk"))
            let mine = ["--token-file", try folder.write("user.token", user.token.utf8)]
            let values = try folder.write("values.json", #"{"a": 2, "walked": true}"#.utf8)
            let token = try almanac.json(
                "token", "create", "staging", "--scope", "config:read", "--label", "walk", "--owner", "walker",
                "--owner-name", "Walker")
            let id = try #require(token.objectValue?["id"]?.stringValue)
            let leaver = try NotesUser("leaver")
            let theirs = ["--token-file", try folder.write("leaver.token", leaver.token.utf8)]
            let asker = try NotesUser("asker")
            try asker.client().create(("n1", "eggs"))
            let accounts = try almanac.json("account", "list", "development", "--subject", asker.subject).objectValue
            let issuer = try #require(accounts?["accounts"]?.arrayValue?.first?.objectValue?["issuer"]?.stringValue)
            let request = ["development", "--issuer", issuer, "--subject", asker.subject]
            // A removed key makes a new major, so that an older major exists.
            try development.reset(to: ["a": 1, "b": 2])
            try development.reset(to: ["a": 1])
            let majors = try almanac.json("config", "majors").arrayValue?.compactMap(\.objectValue) ?? []
            let old = try #require(majors.last { $0["current"] == false && $0["retired_at"] == .null }?["major"])
            let split = #"{"almanac.split":[{"scheme":"unleash","groupId":"f"},{"var":"targetingKey"},[[0,50,"on"]]]}"#
            let flag =
                #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(split)}"#
            let flags = try folder.write("flags.json", #"{"flags":{"f":\#(flag)}}"#.utf8)
            let configCat = try folder.write(
                "cat.json", #"{"p":{"s":"salt","u":"","r":0},"f":{"g":{"t":0,"v":{"b":true}}}}"#.utf8)
            func proposal(_ value: Int, isOpen: Bool = true) throws -> String {
                let made = try almanac.json("config", "set", "a", "\(value)", "--propose")
                let number = try #require(made.objectValue?["number"]).description
                if isOpen { _ = try almanac.output("propose", number) }
                return number
            }
            let dump = "\(folder.path)/staging.dump"
            let note = try folder.write("note.md", "---\ntitle: Soup\nid: walked\n---\n\nleek".utf8)
            _ = try almanac.output("backup", "staging", dump)
            return [
                "config get": ["a"], "config list": [],
                "config search": ["a"], "config purge": ["b", "--yes"],
                "config majors": [], "config retire": [old.description, "--yes"], "account delete": ["--yes"] + theirs,
                "account list": ["development"], "account export": request, "account erase": request + ["--yes"],
                "config set": ["a", "3"], "config unset": ["b"],
                "config edit": ["a"],
                "config export": [], "config generate": ["typescript"], "config import": [values],
                "config diff": ["development", "development"],
                "config promote": ["development", "staging", "--dry-run"], "config history": [],
                "config restore": ["1"], "config show": ["1"], "calendar": [], "proposals": [],
                "propose": [try proposal(5, isOpen: false)], "apply": [try proposal(6)],
                "review": [try proposal(7), "--comment", "--message", "walked"], "audit": [], "status": [],
                "whoami": [],
                "version": [],
                "flags list": [], "flags get": ["f"], "flags set": ["f", flag], "flags enable": ["f"],
                "flags disable": ["f"], "flags explain": ["f", "--id", "u1"], "flags sample": ["f"],
                "flags ramp": ["f", "on", "20"], "flags resplit": ["f"], "flags export": [], "flags import": [flags],
                "flags generate": ["kotlin"], "import": ["configcat", configCat, "--dry-run"],
                "note list": mine, "note show": ["n1"] + mine, "note export": mine,
                "note import": [note] + mine,
                "note search": ["milk"] + mine,
                "note create": ["Groceries"] + mine, "note edit": ["n1", "--append", "!"] + mine,
                "note tag": ["n1", "--add", "work"] + mine, "note pin": ["n1"] + mine, "note unpin": ["n1"] + mine,
                "note move": ["n1", "--first"] + mine, "note delete": ["n1"] + mine, "note restore": ["n1"] + mine,
                "note sync": mine, "note attach": ["n1", note] + mine, "note attachments": mine,
                "environment list": [], "environment check": [], "doctor": [],
                "environment add": ["walked", "--dry-run", "--sql", Checkout.path("sql")],
                "environment remove": ["staging", "--dry-run"],
                "attachments clean": ["staging"], "attachments move": ["staging", "--to", "folder"],
                "backup": ["staging", "\(folder.path)/walk.dump"], "restore": ["staging", dump, "--yes"],
                "backup inspect": [dump], "backup rotate": ["\(folder.path)/all", "--only", "staging"],
                "migrate": ["staging", "--sql", Checkout.path("sql")],
                "token create": ["staging", "--scope", "config:read", "--label", "walk"],
                "token user": ["development", "--sub", "walker"], "token list": ["staging"],
                "token set": ["staging", id, "--purpose", "a walk"], "people list": ["staging"],
                "people remove": ["staging", "--subject", "walker", "--yes"],
                "people admit": ["staging", "--subject", "walker"],
                "invite": ["staging", "--name", "Walker", "--role", "viewer"],
                "session open": ["development"], "session list": [], "session revoke": ["--all"],
                "token rotate": ["staging", id], "token revoke": ["staging", id], "lineage renew": ["staging"],
            ]
        }

        @Test func `every command prints JSON and nothing else when it is asked to, and ends with 0`() throws {
            let examples = try examples()
            #expect(Set(examples.keys).union(Self.triedElsewhere.keys) == Set(CommandTable.all.map(\.name)))
            for command in CommandTable.all where Self.triedElsewhere[command.name] == nil {
                try development.reset(to: ["a": 1, "b": 2])
                if command.name.hasPrefix("flags ") {
                    _ = try almanac.run(["flags", "set"] + (examples["flags set"] ?? []))
                }
                let words = Self.words(command.name) + (examples[command.name] ?? []) + ["--json"]
                let program = try CommandLineProgram(["VISUAL": "true"])
                let outcome = try program.run(words)
                #expect(outcome.status == 0, "\(words): \(outcome.output)\(outcome.errors)")
                #expect(throws: Never.self, "\(words): \(outcome.output)") {
                    try JSONValue(parsing: outcome.outputBytes)
                }
                #expect(outcome.outputBytes.last == UInt8(ascii: "\n"), "\(words)")
            }
        }

        @Test func `every command fails with the exit status that the help names`() throws {
            let examples = try examples()
            try development.reset(to: ["a": 1, "b": 2])
            let strange = try folder.write(
                "strange.token", "almanac_development_\(String(repeating: "x", count: 43))\n".utf8)
            let invalidToken = try CommandLineProgram(["ALMANAC_TOKEN_FILE": strange, "VISUAL": "true"])
            let missingEnvironments = try CommandLineProgram(["ALMANAC_ENVIRONMENTS": "/nonexistent/environments.json"])
            for command in CommandTable.all where Self.triedElsewhere[command.name] == nil {
                let (name, words) = (command.name, Self.words(command.name))
                let example = examples[name] ?? []
                if command.option("--token-file") != nil {
                    let wanted = example.firstIndex(of: "--token-file").map { Array(example[..<$0]) } ?? example
                    // A command that also works on the host asks a server only if the options name one.
                    let isOfHost = command.option("--environments") != nil
                    let refused = try invalidToken.run(
                        words + wanted + (isOfHost ? ["--url", development.instance.url] : []))
                    #expect(refused.status == 5, "\(name): \(refused.output)\(refused.errors)")
                    #expect(try almanac.run(words + example + ["--profile", "nobody"]).status == 2, "\(name)")
                    // A new machine without any cached data.
                    let unreachableServer = try CommandLineProgram([
                        "ALMANAC_URL": "https://localhost:1", "VISUAL": "true",
                        "XDG_DATA_HOME": "\(folder.path)/away/\(name)",
                    ])
                    let unreachable = try unreachableServer.run(
                        words + example + (isOfHost ? ["--url", "https://localhost:1"] : []))
                    let status: Int32 = Self.worksOffline.contains(name) ? 0 : 1
                    #expect(unreachable.status == status, "\(name): \(unreachable.output)\(unreachable.errors)")
                    #expect(unreachable.errors.hasPrefix("almanac: "), "\(name)")
                }
                if command.option("--environments") != nil {
                    let outcome = try missingEnvironments.run(words + example)
                    #expect(outcome.status == 1, "\(name): \(outcome.output)\(outcome.errors)")
                    #expect((outcome.output + outcome.errors).contains("/nonexistent/environments.json"), "\(name)")
                }
                if command.operands.contains(where: { $0.completion == .environments }) {
                    let outcome = try almanac.run(words + ["nowhere"] + example.dropFirst())
                    #expect(outcome.status == 2, "\(name): \(outcome.output)\(outcome.errors)")
                    #expect(outcome.errors.contains("development, staging"), "\(name): \(outcome.errors)")
                }
            }
        }

        @Test func `a missing thing ends with 3, and the help and COMMANDS.md name every status`() throws {
            try development.reset(to: ["a": 1])
            let user = try NotesUser("walker")
            let mine = ["--token-file", try folder.write("user.token", user.token.utf8)]
            for words in [
                ["config", "get", "nothing"], ["config", "unset", "nothing"], ["config", "history", "nothing"],
                ["flags", "get", "nothing"], ["flags", "disable", "nothing"], ["flags", "explain", "nothing"],
                ["flags", "ramp", "nothing", "on", "5"], ["flags", "sample", "nothing"], ["flags", "get", "a"],
                ["config", "restore", "999999999"], ["config", "edit", "nothing"], ["note", "show", "nothing"] + mine,
            ] {
                #expect(try almanac.run(words).status == 3, "\(words)")
            }
            let overview = try almanac.output("--help")
            let page = try String(decoding: File.read(Checkout.path("deploy/COMMANDS.md")), as: UTF8.self)
            let statuses = page.split(separator: "Exit status: ").last?.prefix(400) ?? ""
            for status in AlmanacCommand.ExitStatus.allCases {
                #expect(overview.contains("\n  \(status.rawValue)  "))
                #expect(statuses.contains("\(status.rawValue) "))
            }
        }
    }
}
