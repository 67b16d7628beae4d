import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of tokens for single keys, the audit log and environments, with the command line through nginx.
    @Suite struct CommandAuditTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            folder = try TemporaryFolder()
        }

        @Test func `a token for a part of the keys sets, imports, promotes and restores those alone`() throws {
            try development.reset(to: ["other": 1, "app.banner.text": "hi"])
            let before = try #require(development.client().send("GET", development.path("config")).revision)
            let file = "\(folder.path)/part.token"
            // A label that no earlier run has used as an author.
            let label = "banners \(UInt64.random(in: 0 ... .max))"
            _ = try almanac.output(
                "token", "create", "development", "--scope", "config:write:app.banner.*", "--label", label,
                "--expires-in-days", "3", "--output", file)
            let banners = try CommandLineProgram(["ALMANAC_TOKEN_FILE": file])
            #expect(try banners.output("whoami").contains("\(label) (API token "))
            _ = try banners.output("config", "set", "app.banner.text", "hello")
            _ = try banners.output("config", "import", input: #"{"app.banner.color": "red", "other": 1}"#)
            let state = try development.client().send("GET", development.path("config.json")).text
            let staging = try LiveEnvironment("staging")
            try staging.reset(to: ["other": 2, "new": true])
            for words in [
                ["config", "set", "other", "2"], ["config", "unset", "other"],
                ["config", "import", try folder.write("values.json", #"{"app.banner.text": "x", "new": 1}"#.utf8)],
                ["config", "promote", "staging", "development"],
            ] {
                let outcome = try banners.run(words)
                #expect(outcome.status == 5, "\(words): \(outcome.output)\(outcome.errors)")
                #expect(outcome.errors.contains("may change only app.banner.*, not "), "\(words): \(outcome.errors)")
            }
            #expect(try development.client().send("GET", development.path("config.json")).text == state)
            // The restored revision differs only in keys that the token may write.
            _ = try banners.output("config", "restore", "\(before)")
            #expect(try banners.output("config", "get", "app.banner.text") == "hi\n")
            #expect(
                try almanac.output("config", "history", "--author", label, "--limit", "2").contains("(restore)")
                    == false)
            #expect(try almanac.json("config", "history", "--author", label, "--since", "1h").arrayValue?.count == 3)
        }

        @Test func `a rotated token overlaps, and one that can't be written down is not made`() throws {
            let made = try almanac.json("token", "create", "development", "--scope", "config:read", "--label", "job")
            let id = try #require(made.objectValue?["id"]?.stringValue)
            let old = try #require(made.objectValue?["token"]?.stringValue)
            let count = try almanac.json("token", "list", "development").arrayValue?.count
            let there = try folder.write("there.token", "mine".utf8)
            #expect(try almanac.run("token", "rotate", "development", id, "--output", there).status == 1)
            #expect(try File.read(there) == Array("mine".utf8))
            #expect(
                try almanac.run("token", "rotate", "development", "nothing0", "--output", "\(folder.path)/n").status
                    == 1)
            #expect(try File.names(inFolder: folder.path) == ["there.token"])
            #expect(try almanac.json("token", "list", "development").arrayValue?.count == count)
            let file = "\(folder.path)/new.token"
            _ = try almanac.output("token", "rotate", "development", id, "--output", file)
            let new = String(decoding: try File.read(file), as: UTF8.self).filter { !$0.isWhitespace }
            for token in [old, new] {
                let client = development.instance.client(token: token)
                #expect(try eventually { try client.send("GET", development.path("releases")).status == 200 })
            }
            let client = development.instance.client(token: old)
            let next = try almanac.json("token", "rotate", "development", id, "--overlap-hours", "0")
            #expect(next.objectValue?["token"]?.stringValue != nil)
            #expect(try eventually { try client.send("GET", development.path("releases")).status == 401 })
        }

        @Test func `in a terminal the expiry of a token is asked for`() throws {
            let words = [
                "token", "create", "development", "--scope", "config:read", "--label", "asked", "--environments",
                development.instance.path("environments.json"),
            ]
            let terminal = try PseudoTerminal(development.instance.path("bin/almanac"), words, environment: [:])
            #expect(eventually { terminal.written.contains("Days until the token expires") })
            terminal.type("7\r")
            #expect(terminal.wait(upTo: .seconds(20)) == 0)
            let tokens = try #require(almanac.json("token", "list", "development").arrayValue)
            #expect(tokens.last?.objectValue?["label"] == "asked")
            #expect(tokens.last?.objectValue?["expires_at"]?.stringValue != nil)
        }

        @Test func `the audit log tells who did what over HTTP and on the host`() throws {
            let id = try #require(
                almanac.json("token", "create", "development", "--scope", "admin", "--label", "auditor")
                    .objectValue?["id"]?.stringValue)
            let release = try development.reset(to: ["audited": .string("\(UInt64.random(in: 0 ... .max))")])
            _ = try development.client().send("DELETE", development.path("config/audited?purge=true"))
            let lines = try #require(almanac.json("audit", "--since", "1h", "--limit", "1000").arrayValue)
                .compactMap(\.objectValue)
            let made = try #require(lines.first { $0["subject"] == .string(id) })
            #expect(made["action"] == "token.create" && made["author_kind"] == "host")
            let change = try #require(
                lines.first { $0["details"]?.objectValue?["revision"]?.numberValue?.int64 == release.revision })
            #expect(change["action"] == "config.change" && change["token_id"]?.stringValue != nil)
            #expect(try almanac.output("audit", "--action", "config.purge", "--limit", "1").contains("audited"))
            let reader = try CommandLineProgram([
                "ALMANAC_TOKEN_FILE": try folder.write(
                    "reader.token",
                    almanac.output("token", "create", "development", "--scope", "config:write", "--label", "r").utf8)
            ])
            #expect(try reader.run("audit").status == 5)
            #expect(try almanac.run("audit", "--since", "yesterday").status == 2)
        }

        @Test func `releases are shown, and revisions compared`() throws {
            let first = try #require(try development.reset(to: ["a": 1, "b": "x"]).revision)
            let second = try #require(try development.reset(to: ["a": 2, "c": true]).revision)
            let shown = try almanac.output("config", "show", "\(second)")
            #expect(
                shown.hasPrefix("revision \(second), version ")
                    && shown.hasSuffix("~ a: 1 -> 2\n- b: \"x\"\n+ c: true\n"))
            #expect(try almanac.run("config", "show", "999999999").status == 3)
            let difference = try almanac.run("config", "diff", "\(first)", "\(second)")
            #expect(difference.status == 3 && difference.output.contains("~ a: 1 -> 2\n"))
            #expect(try almanac.run("config", "diff", "\(second)", "\(second)").status == 0)
            #expect(try almanac.output("status").contains("revision \(second), version "))
            #expect(try almanac.output("version").hasPrefix("almanac "))
            _ = try almanac.output("config", "set", "a", "2", "--description", "Tries of a payment")
            let described = try almanac.output("config", "show", "\(second + 1)")
            #expect(described.hasSuffix("\n~ description of a: \"\" -> \"Tries of a payment\"\n"), "\(described)")
        }

        @Test func `an environment is added to a running instance and taken away, and others notice nothing`() throws {
            let file = development.instance.path("environments.json")
            let former = try File.read(file)
            let words = ["environment", "add", "added", "--config-read", "public", "--sql", Checkout.path("sql")]
            let dry = try almanac.run(words + ["--dry-run"])
            #expect(dry.status == 0 && dry.output.contains("create the database almanac_added"), "\(dry.errors)")
            #expect(try File.read(file) == former)
            let outcome = try almanac.run(words)
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            defer { _ = try? almanac.run("environment", "remove", "added", "--drop-database", "--yes") }
            #expect(
                outcome.output.contains("wait until their workers log in") && !outcome.output.contains("still to do"))
            let client = development.client()
            #expect(try eventually { try client.send("GET", "/added/config").status == 401 })
            let added = development.instance.client()
            #expect(try added.send("GET", "/added/config").status == 200)
            #expect(try client.send("GET", development.path("config")).status == 200)
            #expect(try almanac.run(words).errors.contains("already has an environment 'added'"))
            let removed = try almanac.run("environment", "remove", "added", "--drop-database", "--yes")
            #expect(removed.status == 0, "\(removed.output)\(removed.errors)")
            #expect(try File.read(file) == former)
            #expect(try eventually { try added.send("GET", "/added/config").status == 404 })
        }
    }
}
