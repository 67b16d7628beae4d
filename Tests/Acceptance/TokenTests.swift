import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct TokenTests {
        private let instance: Instance
        private let development: LiveEnvironment

        init() throws { (instance, development) = try (Instance.current(), LiveEnvironment("development")) }

        @Test func `a token may do what its scope says and no more`() throws {
            try development.reset(to: ["a": 1])
            let tokens = try ["config:read", "config:write", "admin"].map {
                try create(scope: $0, label: "scope \($0)")
            }
            let clients = [instance.client()] + tokens.map { instance.client(token: $0) }
            func statuses(_ method: String, _ path: String, _ body: String? = nil) throws -> [Int] {
                try clients.map {
                    try $0.send(
                        method, development.path(path), headers: [("Content-Type", "application/json")],
                        body: body.map { Array($0.utf8) }
                    ).status
                }
            }
            #expect(try statuses("GET", "config") == [200, 200, 200, 200])
            #expect(try statuses("GET", "releases") == [401, 200, 200, 200])
            #expect(try statuses("GET", "majors") == [401, 200, 200, 200])
            #expect(try statuses("GET", "config/a/history") == [401, 200, 200, 200])
            #expect(try statuses("PUT", "config/a", #"{"value":1}"#) == [401, 403, 200, 200])
            #expect(try statuses("DELETE", "config/a?purge=true") == [401, 403, 403, 200])
            #expect(try statuses("DELETE", "majors/999") == [401, 403, 403, 404])
        }

        @Test func `a refusal says how to do better and keeps what it was sent to itself`() throws {
            let missing = try instance.client().send("GET", development.path("releases"))
            #expect(missing.problem == "token-needed")
            #expect(missing.header("WWW-Authenticate") == "Bearer realm=\"almanac\"")
            for token in [
                "almanac_development_" + String(repeating: "x", count: 43), "secretive", development.token + "x",
            ] {
                let answer = try instance.client(token: token).send("GET", development.path("config"))
                #expect(answer.status == 401)
                #expect(answer.problem == "token-refused")
                #expect(!answer.text.contains(token))
            }
        }

        @Test func `an environment's token is worthless in another`() throws {
            let staging = try LiveEnvironment("staging")
            let answer = try instance.client(token: development.token).send("GET", staging.path("releases"))
            #expect(answer.status == 401)
        }

        @Test func `a revoked token ends at once, and the list never shows a token`() throws {
            let token = try create(scope: "config:write", label: "to be revoked")
            let client = instance.client(token: token)
            #expect(try client.send("GET", development.path("releases")).status == 200)
            let list = try almanac("token", "list", "development", "--json")
            #expect(!list.contains(token))
            let records = try JSONValue(parsing: Array(list.utf8)).arrayValue?.compactMap(\.objectValue) ?? []
            let id = try #require(records.last { $0["label"] == "to be revoked" }?["id"]?.stringValue)
            _ = try almanac("token", "revoke", "development", id)
            #expect(try eventually { try client.send("GET", development.path("releases")).status == 401 })
        }

        @Test func `a misused command line says what was expected`() throws {
            for arguments in [
                ["token", "create", "development"], ["token", "create", "nowhere", "--scope", "admin", "--label", "x"],
                ["token", "create", "development", "--scope", "root", "--label", "x"], ["tokens"],
                ["migrate", "--what", "x"],
            ] {
                let outcome = try command(arguments)
                #expect(outcome.status == 2)
                #expect(outcome.errors.hasPrefix("almanac: "))
            }
        }

        private func create(scope: String, label: String) throws -> String {
            try almanac("token", "create", "development", "--scope", scope, "--label", label)
                .filter { !$0.isWhitespace }
        }

        private func almanac(_ arguments: String...) throws -> String {
            let outcome = try command(arguments)
            guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
            return outcome.output
        }

        private func command(_ arguments: [String]) throws -> Command.Outcome {
            try Command.run(
                instance.path("bin/almanac"), arguments + ["--environments", instance.path("environments.json")],
                within: .seconds(20))
        }
    }
}
