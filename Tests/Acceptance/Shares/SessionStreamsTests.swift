import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of page streams whose sessions the events process does not know, as after a restart.
    @Suite(.serialized) struct SessionStreamsTests {
        private let environment: LiveEnvironment

        init() throws { environment = try LiveEnvironment("development") }

        private var console: String {
            environment.instance.url.replacing("//localhost:", with: "//console.localhost:")
        }

        /// Signs a browser in, and returns the cookie.
        private func signIn() throws -> String {
            let answer = try HTTPClient(base: console, caFile: environment.instance.caFile).send(
                "POST", environment.path("session"),
                headers: [("Sec-Fetch-Site", "same-origin"), ("Almanac-Session", "1")],
                json: ["token": .string(environment.token)])
            try #require(answer.status == 201, "\(answer.text)")
            return String(try #require(answer.header("Set-Cookie")?.split(separator: ";").first))
        }

        @Test func `streams that come all at once wait until the database has found their sessions`() throws {
            let cookies = try (0..<24).map { _ in try signIn() }
            let waits = Statement(
                """
                -- name: test_session_waits
                select count(*) as waits from pg_stat_activity
                where datname = 'almanac_development' and wait_event_type = 'Lock'
                """)
            let lock = try Connection(
                ConnectionSettings(conninfo: "\(try TestCluster.conninfo) dbname=almanac_development"))
            let streams = try lock.transaction { connection in
                try connection.execute(script: "lock table sessions in access exclusive mode")
                let streams = try cookies.map { cookie in
                    try EventStream(
                        console + environment.path("events"), caFile: environment.instance.caFile,
                        headers: [("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")])
                }
                // Several lookups run at a time, and the other streams wait for them.
                let watcher = try Connection(TestCluster.settings)
                try #require(try eventually { try watcher.run(waits).single("pg_stat_activity").bigint("waits") > 2 })
                return streams
            }
            for stream in streams { #expect(try stream.next("hello") != nil, "\(stream.text)") }
            #expect(streams.allSatisfy { $0.status() == 200 })
        }
    }
}
