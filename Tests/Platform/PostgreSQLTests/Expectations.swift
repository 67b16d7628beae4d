import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Runs a closure. Returns its failure, or nil if it succeeds.
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

/// Runs a closure. Returns the SQL state of the server's error, or nil if there is none.
func state(_ body: () throws -> some Any) -> SQLState? { failure(body)?.state }

/// Terminates another session and waits until its process is gone.
func terminate(_ processID: Int32) throws {
    let rows = try Connection(TestCluster.settings).run(
        Statement("-- name: terminate\nselect pg_terminate_backend($1, 10000) as ended"), .integer(processID))
    try #require(try rows[0].boolean("ended"))
}

/// An error of a transaction's body.
struct Refusal: Error {}

/// Returns a connection to the test's database, after creating the table `t` of unique numbers, checked at the commit.
func connectionWithTable() throws -> Connection {
    let connection = try Connection(TestDatabase.current.settings)
    try connection.execute(script: "create table t (n integer unique deferrable initially deferred)")
    return connection
}

let insert = Statement("-- name: insert_n\ninsert into t values ($1)")
