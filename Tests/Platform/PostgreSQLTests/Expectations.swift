import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// How the work fails, nil when it doesn't.
func failure(_ body: () throws -> some Any) -> PostgresFailure? {
    do {
        _ = try body()
    } catch let failure as PostgresFailure {
        return failure
    } catch {
        Issue.record(error)
    }
    return nil
}

/// The code that the server refuses the work with, nil when it doesn't.
func state(_ body: () throws -> some Any) -> SQLState? {
    failure(body)?.state
}

/// Ends another session and waits until its process is gone.
func terminate(_ processID: Int32) throws {
    let rows = try Connection(TestCluster.settings).run(
        Statement("-- name: terminate\nselect pg_terminate_backend($1, 10000) as ended"), .integer(processID))
    try #require(try rows[0].boolean("ended"))
}
