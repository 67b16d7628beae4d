import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of `almanac login` and `almanac logout` with the tests' real provider and the real server.
    @Suite struct CommandLoginTests {
        private let home: TemporaryFolder

        init() throws { home = try TemporaryFolder() }

        @Test func `a user who signs in reads their notes, tokens are rotated, and nobody else sees them`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                #expect(try almanac.run("note", "list").status == 5)
                let said = try almanac.signIn()
                #expect(said.hasSuffix("signed in as alice, at \(try SignInBrowser.issuer)\n"))
                #expect(
                    try Command.run("stat", ["-c", "%a", "\(home.path)/logins", try home.login]).output == "700\n600\n")
                #expect(try almanac.json("note", "list") == [])
                let first = try home.tokens()

                // All programs find the expired token at the same time.
                try home.expire()
                let outcomes = try concurrently(4) { _ in try almanac.run("note", "list", "--json") }
                for outcome in outcomes {
                    #expect(outcome.status == 0 && outcome.output == "[]\n", "\(outcome.errors)")
                    #expect(outcome.errors == "")
                }
                let second = try home.tokens()
                #expect(second.refresh != first.refresh && second.access != first.access)
                for text in [said] + outcomes.map({ $0.output + $0.errors }) {
                    for secret in [first.access, first.refresh, second.access, second.refresh] {
                        #expect(!text.contains(secret))
                    }
                }
                // Another home folder has no sign-in.
                #expect(try club.almanac(TemporaryFolder()).run("note", "list").status == 5)
            }
        }

        @Test func `a refresh token used twice ends in a word to sign in again, and a status of its own`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                try almanac.signIn()
                let id = try almanac.output("note", "create", "Groceries", "milk").filter { !$0.isNewline }
                try home.expire()
                let old = try File.read(home.login)
                #expect(try almanac.run("note", "list").status == 0)
                // Restores a copy of the file from before the refresh.
                try File.replace(home.login, contents: old, permissions: 0o600)
                let outcome = try almanac.run("note", "list")
                #expect(outcome.status == 6)
                #expect(outcome.errors.contains("'almanac login' again"), "\(outcome.errors)")
                // The local notes remain readable and writable.
                #expect(outcome.output.contains("Groceries"))
                #expect(try almanac.run("note", "edit", id, "--append", "\nbread").status == 6)
                #expect(try almanac.run("note", "sync", "--json").output.contains("\"unsent\":1"))
                #expect(try almanac.run("config", "set", "a", "1").status == 6)

                try almanac.signIn()
                #expect(try almanac.output("note", "sync") == "1 note, in sync with the server\n")
                #expect(try almanac.output("note", "show", id) == "Groceries\n\nmilk\nbread\n")
            }
        }

        @Test func `config is read as who has signed in, as far as their scopes go`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                #expect(try almanac.run("config", "list").status == 5)
                try almanac.signIn()
                #expect(try almanac.run("config", "list").status == 5)
                try almanac.signIn("--scope", "config:read")
                #expect(try almanac.json("config", "list") == [])
                #expect(try almanac.run("config", "set", "a", "1").status == 5)
                // An explicit token file takes precedence over the sign-in.
                let other = try home.write("other.token", "nonsense".utf8)
                #expect(try almanac.run("config", "list", "--token-file", other).status == 5)
            }
        }

        @Test func `after signing out the provider takes the tokens no more`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                try almanac.signIn()
                try home.expire()
                let path = try home.login
                let old = try File.read(path)
                #expect(try almanac.json("logout") == ["signed_out": true, "revoked": true])
                #expect(try !File.exists(path))
                #expect(try almanac.run("note", "list").status == 5)
                #expect(try almanac.json("logout") == ["signed_out": false, "revoked": false])
                try File.replace(path, contents: old, permissions: 0o600)
                #expect(try almanac.run("note", "list").status == 6)
            }
        }

        @Test func `a machine without a browser shows a code, which is answered elsewhere`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                let program = try almanac.start("login", "--device", "--json")
                var said: JSONObject?
                _ = eventually(within: .seconds(30)) {
                    said = try? JSONValue(parsing: program.outputBytes.filter { $0 != 10 }).objectValue
                    return said != nil || !program.isRunning
                }
                let (page, code) = (try #require(said?["open"]?.stringValue), try #require(said?["code"]?.stringValue))
                try SignInBrowser.answer(page, code: code)
                let status = program.wait(upTo: .seconds(60))
                #expect(status == 0, "\(String(decoding: program.errorBytes, as: UTF8.self))")
                #expect(try almanac.json("note", "list") == [])
                let late = try almanac.run("login", "--device", "--wait", "1")
                #expect(late.status == 1 && late.errors.contains("the sign-in timed out"))
                #expect(late.output.contains("in a browser on any device"))
            }
        }

        @Test func `a provider that is away is no reason to sign in again`() throws {
            try ProviderEnvironment.with { club in
                let almanac = try club.almanac(home)
                try almanac.signIn()
                _ = try almanac.output("note", "create", "Groceries")
                try home.expire()
                let before = try File.read(home.login)
                let away = String(decoding: before, as: UTF8.self).replacing(
                    try SignInBrowser.issuer.replacing("/", with: "\\/"), with: "http:\\/\\/127.0.0.1:1")
                try #require(Array(away.utf8) != before)
                try File.replace(home.login, contents: Array(away.utf8), permissions: 0o600)
                let outcome = try almanac.run("note", "list")
                // The same name at another issuer is another user.
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("could not be reached"), "\(outcome.errors)")
                #expect(try File.read(home.login) == Array(away.utf8))
                try File.replace(home.login, contents: before, permissions: 0o600)
                #expect(try almanac.output("note", "list").contains("Groceries"))
            }
        }

        @Test func `a sign-in for a server that trusts another provider is told at once`() throws {
            let almanac = try CommandLineProgram([
                "ALMANAC_TOKEN_FILE": "", "ALMANAC_PROFILE_FILE": "\(home.path)/profile.json",
                "XDG_DATA_HOME": "\(home.path)/data", "ALMANAC_ISSUER": try SignInBrowser.issuer,
                "ALMANAC_CLIENT_ID": "notes-app",
            ])
            let program = try almanac.start("login", "--json")
            let page = try #require(try program.page)
            try SignInBrowser.open(try SignInBrowser.signIn(at: page))
            #expect(program.wait(upTo: .seconds(30)) == 5)
            let last = try #require(program.outputBytes.split(separator: 10).last)
            let document = try JSONValue(parsing: Array(last)).objectValue
            #expect(document?["accepted"] == false && document?["subject"] == "alice")
            #expect(String(decoding: program.errorBytes, as: UTF8.self).contains("does not accept the token"))
            // The sign-in is valid only for its own environment.
            #expect(try almanac.run("note", "list", "--environment", "staging").status == 5)
        }

        @Test func `a failed login is one line, and leaves nothing`() throws {
            let issuer = try SignInBrowser.issuer
            func outcome(_ variables: [String: String], _ options: String...) throws -> Command.Outcome {
                let defaults = ["ALMANAC_TOKEN_FILE": "", "ALMANAC_PROFILE_FILE": "\(home.path)/profile.json"]
                let outcome = try CommandLineProgram(defaults.merging(variables) { $1 }).run(["login"] + options)
                #expect(outcome.errors.hasPrefix("almanac: "))
                return outcome
            }
            let client = ["ALMANAC_CLIENT_ID": "notes-app"]
            #expect(try outcome(client).errors.contains("--issuer"))
            #expect(try outcome(["ALMANAC_ISSUER": issuer]).errors.contains("--client-id"))
            #expect(try outcome(client, "--issuer", "http://example.com").status == 2)
            #expect(try outcome(client, "--issuer", "http://127.0.0.1:1").errors.contains("could not be reached"))
            #expect(try outcome(client, "--issuer", issuer, "--parameter", "audience").status == 2)
            #expect(try outcome(client, "--issuer", issuer, "--port", "0").status == 2)
            let late = try outcome(client, "--issuer", issuer, "--wait", "1")
            #expect(late.status == 1 && late.errors.contains("the sign-in timed out"))
            #expect(try File.names(inFolder: home.path) == [])
        }
    }
}
