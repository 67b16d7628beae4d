import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct StatementExitTests {
    @Test func `a statement without a usable name ends the program`() async {
        await #expect(processExitsWith: .failure) { _ = Statement("select 1") }
        await #expect(processExitsWith: .failure) { _ = Statement("-- name: two words\nselect 1") }
        await #expect(processExitsWith: .failure) { _ = Statement("-- name: \nselect 1") }
    }

    @Test(.database) func `a statement after the last ends the program`() async throws {
        let conninfo = try TestDatabase.current.conninfo()
        await #expect(processExitsWith: .failure) { [conninfo = conninfo as String] in
            let quotient = Statement("-- name: quotient\nselect 10 / $1 as q")
            let connection = try Connection(ConnectionSettings(conninfo: conninfo))
            try connection.transaction { connection in
                _ = try connection.runAndCommit(Call(quotient, .integer(5)))
                try connection.run(quotient, .integer(5))
            }
        }
    }
}
