import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestRandomness
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that kill a worker of the instance while it makes the release of a proposal at its time.
    @Suite struct ScheduleKillTests {
        private static let rounds = TestDepth.runs(quick: 1, standard: 1, long: 100)

        @Test func `a worker that is killed before its commit released nothing, and the next one releases once`() throws
        {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["scheduled": 0])
            for round in 1...Self.rounds {
                let number = try schedule(development, value: round)
                let locker = try development.instance.database(of: development.name)
                let observer = try development.instance.database(of: development.name)
                // The release inserts a line into the audit log, and waits for this lock.
                try locker.execute(script: "begin; lock table audit_log in exclusive mode")
                try observer.execute(
                    script: "update proposals set apply_at = clock_timestamp() where number = \(number)")
                try #require(eventually(within: .seconds(20)) { try isWaiting(observer) })
                try development.instance.killProcess(of: "worker")
                #expect(try releases(of: number, observer) == 0)
                try locker.execute(script: "rollback")
                #expect(try eventually(within: .seconds(20)) { try releases(of: number, observer) == 1 })
                let client = development.client()
                let proposal = try client.send("GET", development.path("proposals/\(number)"))
                #expect(proposal["state"] == "applied")
                #expect(
                    try eventually {
                        try client.send("GET", development.path("config/scheduled"))["value"]?.numberValue?.int64
                            == Int64(round)
                    })
            }
        }

        /// Makes a proposal with a time in the far future. Returns the number.
        private func schedule(_ development: LiveEnvironment, value: Int) throws -> Int64 {
            let client = development.client()
            let draft = try client.patch(
                development.path("config?propose=true"), ["scheduled": .number(JSONNumber(Int64(value)))])
            let number = try #require(draft["number"]?.numberValue?.int64)
            let path = development.path("proposals/\(number)")
            let timed = try client.patch(path, ["apply_at": "2099-01-01T00:00:00Z"], headers: [("If-Match", "\"1\"")])
            try #require(timed.status == 200)
            try #require(try client.send("POST", path + "/submit", headers: [("If-Match", "\"2\"")]).status == 200)
            return number
        }

        private func isWaiting(_ observer: Connection) throws -> Bool {
            let waiting = Statement(
                """
                -- name: test_waiting
                select exists (
                    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and query like '-- name: config_release_insert%') as is_waiting
                """)
            return try observer.run(waiting)[0].boolean("is_waiting")
        }

        private func releases(of number: Int64, _ observer: Connection) throws -> Int64 {
            let count = Statement(
                """
                -- name: test_releases
                select count(*) as count from config_releases where proposal = $1
                """)
            return try observer.run(count, .bigint(number))[0].bigint("count")
        }
    }
}
