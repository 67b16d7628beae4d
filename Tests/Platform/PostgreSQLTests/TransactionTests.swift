import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database) struct TransactionTests {
    @Test func `a body that returns is committed`() throws {
        let connection = try connectionWithTable()
        #expect(try connection.transaction { try $0.run(insert, .integer(1)).affected } == 1)
        #expect(try Connection(TestDatabase.current.settings).run(count)[0].integer("count") == 1)
    }

    @Test func `a body that throws is rolled back`() throws {
        let connection = try connectionWithTable()
        #expect(throws: Refusal.self) {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                throw Refusal()
            }
        }
        #expect(try connection.run(count)[0].integer("count") == 0)
        #expect(connection.isUsable)
    }

    @Test func `a swallowed error doesn't pass as a commit`() throws {
        let connection = try connectionWithTable()
        let outcome = state {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                _ = try? connection.execute(script: "select 1/0")
            }
        }
        #expect(outcome == .inFailedSQLTransaction)
        #expect(try connection.run(count)[0].integer("count") == 0)
    }

    @Test func `a commit that the server refuses is an error`() throws {
        let connection = try connectionWithTable()
        let outcome = state {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                try connection.run(insert, .integer(1))
            }
        }
        #expect(outcome == .uniqueViolation)
        #expect(try connection.run(count)[0].integer("count") == 0)
    }

    @Test func `a connection that ends before the commit throws lost`() throws {
        let connection = try connectionWithTable()
        do {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                try terminate(connection.processID)
            }
            Issue.record("the commit passed")
        } catch PostgresFailure.lost {
            #expect(!connection.isUsable)
        }
        #expect(try Connection(TestDatabase.current.settings).run(count)[0].integer("count") == 0)
    }

    @Test func `a connection that ends inside the transaction keeps what was thrown`() throws {
        let connection = try connectionWithTable()
        #expect(throws: Refusal.self) {
            try connection.transaction { connection in
                try terminate(connection.processID)
                throw Refusal()
            }
        }
        #expect(!connection.isUsable)
    }

    @Test func `a snapshot doesn't see later commits and changes nothing`() throws {
        let connection = try connectionWithTable()
        let other = try Connection(TestDatabase.current.settings)
        try connection.transaction(.snapshot) { connection in
            #expect(try connection.run(count)[0].integer("count") == 0)
            try other.run(insert, .integer(1))
            #expect(try connection.run(count)[0].integer("count") == 0)
        }
        #expect(try connection.run(count)[0].integer("count") == 1)
        #expect(
            state { try connection.transaction(.snapshot) { try $0.run(insert, .integer(2)) } }
                == .readOnlySQLTransaction)
    }
}

private let count = Statement("-- name: count_t\nselect count(*) as count from t")
