import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the commands about people and the owners of tokens, on a database without a worker.
    @Suite struct CommandPeopleTests {
        /// Runs a body with an environment in which Ada owns a token.
        private func withAda(_ body: (CommandLineProgram, TestDatabase, _ token: String) throws -> Void) throws {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let made = try trial.almanac.json(
                    "token", "create", "trial", "--scope", "admin", "--label", "laptop", "--owner", "ada",
                    "--owner-name", "Ada", "--purpose", "releases from home")
                let id = try #require(made.objectValue?["id"]?.stringValue)
                // The environments file lives as long as the environment.
                try withExtendedLifetime(trial) { try body(trial.almanac, database, id) }
            }
        }

        private func tokens(_ almanac: CommandLineProgram) throws -> [JSONObject] {
            try #require(almanac.json("token", "list", "trial").arrayValue).compactMap(\.objectValue)
        }

        @Test func `a token has an owner and a purpose, which the list names, and loses the owner`() throws {
            try withAda { almanac, _, id in
                let record = try #require(tokens(almanac).first)
                let owner: JSONValue = [
                    "issuer": "urn:almanac:development:trial", "subject": "ada", "name": "Ada",
                ]
                #expect(record["owner"] == owner && record["purpose"] == "releases from home")
                #expect(try almanac.output("token", "list", "trial").contains(/\n\w{8}  laptop  Ada    admin/))
                let unknown = try almanac.run(
                    "token", "create", "trial", "--scope", "admin", "--label", "x", "--owner", "bert")
                #expect(unknown.status == 1 && unknown.errors.contains("--owner-name records a new one"))
                #expect(
                    try almanac.output("token", "set", "trial", id, "--label", "desk", "--no-owner")
                        == "\(id) (desk) is a service account\n")
                #expect(try tokens(almanac).map { $0["owner"] } == [.null])
                #expect(
                    try almanac.output("token", "set", "trial", id, "--owner", "ada")
                        == "\(id) (desk) belongs to Ada\n")
                #expect(try tokens(almanac).first?["purpose"] == "releases from home")
                for mistake in [[], ["--owner", "ada", "--no-owner"], ["--owner-name", "Ada"]] {
                    let outcome = try almanac.run(["token", "set", "trial", id] + mistake)
                    #expect(outcome.status == 2, "\(mistake): \(outcome.errors)")
                }
                #expect(try almanac.run("token", "set", "trial", "zzzzzzzz", "--no-owner").status == 1)
            }
        }

        @Test func `a removed person leaves service accounts, owns no new token, and is admitted again`() throws {
            try withAda { almanac, _, id in
                let remove = ["people", "remove", "trial", "--subject", "ada"]
                let unasked = try almanac.run(remove)
                #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked.errors)")
                let removed = try almanac.run(remove + ["--yes"])
                #expect(removed.output == "Ada is removed\na token of Ada stays valid: \(id) (laptop)\n")
                #expect(try almanac.output("people", "list", "trial").contains(/\nAda   removed  token/))
                #expect(try almanac.output("token", "list", "trial").contains("Ada (removed)"))
                let refused = try almanac.run(
                    "token", "create", "trial", "--scope", "admin", "--label", "x", "--owner", "ada", "--owner-name",
                    "Ada")
                #expect(refused.status == 1 && refused.errors.contains("was removed"), "\(refused.errors)")
                #expect(
                    try almanac.output("people", "admit", "trial", "--subject", "ada") == "Ada is admitted\n")
                let person = try almanac.json("people", "list", "trial").arrayValue?.first?.objectValue
                #expect(person?["removed_at"] == .null && person?["tokens"]?.arrayValue?.count == 1)
                #expect(try almanac.run("people", "admit", "trial", "--subject", "bert").status == 3)
                let erased = try almanac.json("people", "remove", "trial", "--subject", "ada", "--erase", "--yes")
                #expect(erased.objectValue?["name"] == .null)
            }
        }

        @Test func `the host changes a role that an invitation gave, and no other`() throws {
            try withAda { almanac, database, _ in
                try Connection(database.settings).execute(
                    script: """
                        insert into people (id, issuer, subject, name, role, source, scopes) values
                        ('bertbertbert', 'passkey:console.test', 'ada', 'Bert', 'admin', 'invitation', '{admin}')
                        """)
                let words = ["people", "role", "trial", "--subject", "ada", "--role", "viewer"]
                let unclear = try almanac.run(words)
                #expect(unclear.status == 2 && unclear.errors.contains("passkey:console.test"), "\(unclear.errors)")
                #expect(
                    try almanac.run(words + ["--issuer", "passkey:console.test"]).output == "Bert is viewer\n")
                let person = try almanac.json("people", "list", "trial").arrayValue?.compactMap(\.objectValue)
                    .first { $0["name"] == "Bert" }
                #expect(person?["role"] == "viewer" && person?["scopes"] == ["config:read"])
                let ofToken = try almanac.run(words + ["--issuer", "urn:almanac:development:trial"])
                #expect(ofToken.status == 1 && ofToken.errors.contains("by invitation"), "\(ofToken.errors)")
                #expect(try almanac.run("people", "role", "trial", "--subject", "ada", "--role", "king").status == 2)
            }
        }

        @Test func `an administrator invites through the server what the host invites in its database`() throws {
            let instance = try Instance.current()
            let almanac = try CommandLineProgram()
            let server = [
                "--url", instance.url, "--token-file", instance.path("tokens/development.token"), "--ca-file",
                instance.caFile,
            ]
            let words = ["invite", "development", "--name", "Grace", "--role", "viewer"]
            let links = try [[], server].map { try almanac.run(words + $0 + ["--json"]) }.map { made in
                try #require(JSONValue(parsing: Array(made.output.utf8)).objectValue, "\(made.errors)")
            }
            for link in links { #expect(link["name"] == "Grace" && link["role"] == "viewer", "\(link)") }
            let origins = links.map { $0["link"]?.stringValue?.split(separator: "#").first }
            #expect(origins[0] != nil && origins[0] == origins[1])
            let client = try LiveEnvironment("development").client()
            let open = try client.send("GET", "/development/invitations").json().arrayValue?.compactMap(\.objectValue)
            for link in links {
                let invitation = try #require(open?.first { $0["id"] == link["id"] })
                #expect(link["expires_at"] == invitation["expires_at"])
                let id = try #require(link["id"]?.stringValue)
                #expect(try client.send("DELETE", "/development/invitations/\(id)").status == 204)
            }
            let unknown = try almanac.run(["invite", "development", "--person", "nobody"] + server)
            #expect(unknown.status == 3 && unknown.errors.contains("has no person 'nobody'"), "\(unknown.errors)")
            #expect(try almanac.run(words.dropLast(2) + server).errors.contains("--role is missing"))
        }
    }
}
