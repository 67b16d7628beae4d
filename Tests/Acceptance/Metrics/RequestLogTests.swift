import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct RequestLogTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        @Test func `on request every request has a line, which tells nothing private`() throws {
            let worker = try DedicatedWorker(instance, environment: ["ALMANAC_LOG": "requests"])
            try #require(try worker.isReady(), "\(worker.log)")
            let alice = try NotesUser("logged")
            let token = try instance.token("development")
            #expect(try worker.ask("/development/config?version=1") == 200)
            #expect(
                try worker.ask(
                    "/development/config/secret-key", "-X", "PUT", "-H", "Authorization: Bearer \(token)",
                    "--json", #"{"value": "secret-value"}"#) == 201)
            #expect(
                try worker.ask(
                    "/development/notes", "-H", "Authorization: Bearer \(alice.token)",
                    "--json", #"[["createNote", {"id": "secret-note", "body": "secret text"}]]"#) == 200)
            #expect(try worker.ask("/elsewhere-secret/config?since=secret") == 404)
            #expect(try worker.ask("/development/config", "-X", "SECRET") == 405)
            #expect(try eventually { try worker.requests().count { $0["route"] != "/-/ready" } == 5 }, "\(worker.log)")

            let lines = try worker.requests().filter { $0["route"] != "/-/ready" }
            #expect(lines.map { $0["status"] } == [200, 201, 200, 404, 405])
            #expect(lines.map { $0["method"] } == ["GET", "PUT", "POST", "GET", "other"])
            #expect(
                lines.map { $0["route"] } == [
                    "/{environment}/config", "/{environment}/config/{key}", "/{environment}/notes", nil, nil,
                ])
            #expect(
                lines.map { $0["environment"] } == ["development", "development", "development", nil, "development"])
            #expect(lines.map { $0["problem"] } == [nil, nil, nil, "environment-not-found", "method-not-allowed"])
            for line in lines {
                #expect(line["level"] == "info")
                #expect(line.text("time")?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
                #expect(line.text("request")?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
                let (all, database) = (try time(line["milliseconds"]), try time(line["database_milliseconds"]))
                #expect(0 <= database && database <= all && all < 10_000)
            }
            // A read of config uses the worker's memory, but a write uses the database.
            #expect(try time(lines[0]["database_milliseconds"]) == 0)
            #expect(try time(lines[1]["database_milliseconds"]) > 0)
            #expect(try time(lines[2]["database_milliseconds"]) > 0)
            #expect(!worker.log.lowercased().contains("secret"))
            #expect(!worker.log.contains(token) && !worker.log.contains(alice.token))
            try LiveEnvironment("development").reset()
        }

        @Test func `otherwise only a request that failed or was slow has a line`() throws {
            let worker = try DedicatedWorker(instance, environment: [:])
            try #require(try worker.isReady(), "\(worker.log)")
            #expect(try worker.ask("/development/config") == 200)
            #expect(try worker.ask("/nowhere/config") == 404)
            #expect(try worker.ask("/development/config", "-H", "Almanac-Min-Revision: 999999999999") == 503)
            #expect(
                try eventually { try worker.requests().count { $0["status"] == 503 && $0["route"] != "/-/ready" } == 1 }
            )
            // The log may contain requests from before the worker was ready.
            let lines = try worker.requests().filter { $0["route"] != "/-/ready" }
            #expect(lines.map { $0["problem"] } == ["revision-not-reached"])
            #expect(lines.map { $0["level"] } == ["error"])
        }

        @Test func `an unknown choice is refused in one line that names the choices`() throws {
            let outcome = try Command.run(
                instance.path("bin/almanac-worker"),
                environment: ["ALMANAC_LOG": "everything", "ALMANAC_LISTEN": "unix:/nowhere"], within: .seconds(20))
            #expect(outcome.status == 1)
            #expect(outcome.errors == "almanac-worker: ALMANAC_LOG must be requests or problems\n")
        }

        private func time(_ value: JSONValue?) throws -> Double {
            try #require(value?.numberValue.flatMap { Double($0.text) })
        }
    }
}
