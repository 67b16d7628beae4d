import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database) struct DatabaseTimeTests {
    private static let sleep = Statement("-- name: sleep\nselect pg_sleep($1 / 1000.0)::text as slept")

    @Test func `a thread's time in statements is counted, and what it does besides is not`() throws {
        let connection = try Connection(TestDatabase.current.settings)
        let before = DatabaseTime.nanoseconds
        let start = MonotonicClock.nanoseconds
        try connection.run(Self.sleep, .integer(50))
        _ = try Event().wait(upTo: .milliseconds(200))
        let spent = DatabaseTime.nanoseconds - before
        #expect(spent >= 50_000_000)
        #expect(spent <= MonotonicClock.nanoseconds - start - 200_000_000)
    }

    @Test func `connecting counts too, a statement that fails as well`() throws {
        let before = DatabaseTime.nanoseconds
        let connection = try Connection(TestDatabase.current.settings)
        let connected = DatabaseTime.nanoseconds
        #expect(connected > before)
        _ = failure { try connection.execute(script: "select pg_sleep(0.05); select 1 / 0") }
        #expect(DatabaseTime.nanoseconds - connected >= 50_000_000)
    }

    @Test func `statements that go together in one round trip count`() throws {
        let connection = try Connection(TestDatabase.current.settings)
        let before = DatabaseTime.nanoseconds
        try connection.transaction { connection in
            _ = try connection.runAndCommit(Call(Self.sleep, .integer(50)))
        }
        #expect(DatabaseTime.nanoseconds - before >= 50_000_000)
    }

    @Test func `each thread has its own time`() throws {
        let settings = try TestDatabase.current.settings
        let before = DatabaseTime.nanoseconds
        let times = try concurrently(2) { number in
            let first = DatabaseTime.nanoseconds
            try Connection(settings).run(Self.sleep, .integer(number == 0 ? 0 : 200))
            return (first, DatabaseTime.nanoseconds)
        }
        #expect(times.map(\.0) == [0, 0])
        #expect(times[1].1 >= 200_000_000)
        #expect(DatabaseTime.nanoseconds == before)
    }
}
