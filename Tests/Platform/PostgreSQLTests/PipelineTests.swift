import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Sends statements in one round trip with the begin or the commit of their transaction.
@Suite(.database) struct PipelineTests {
    private func numbers() throws -> [Int] {
        try Connection(TestDatabase.current.settings).run(numbersInOrder).map { try $0.integer("n") }
    }

    @Test func `the first statements give their rows in order`() throws {
        let connection = try connectionWithTable()
        let calls = [Call(insert, .integer(1)), Call(numbersInOrder), Call(insert, .integer(2)), Call(numbersInOrder)]
        let seen = try connection.transaction(opening: calls) { connection, rows in
            try connection.run(insert, .integer(3))
            return try rows.map { try $0.map { try $0.integer("n") } }
        }
        #expect(seen == [[], [1], [], [1, 2]])
        #expect(try numbers() == [1, 2, 3])
    }

    @Test func `when one of the first fails, nothing is done and the connection goes on`() throws {
        let connection = try connectionWithTable()
        let calls = [Call(insert, .integer(1)), Call(quotient, .integer(0)), Call(insert, .integer(2))]
        #expect(state { try connection.transaction(opening: calls) { _, _ in } } == SQLState(rawValue: "22012"))
        #expect(connection.isUsable)
        #expect(try connection.run(numbersInOrder).isEmpty)
        #expect(try connection.transaction(opening: [Call(quotient, .integer(5))]) { try $1[0][0].integer("q") } == 2)
    }

    @Test func `an error after the first statements undoes them`() throws {
        let connection = try connectionWithTable()
        #expect(throws: Refusal.self) {
            try connection.transaction(opening: [Call(insert, .integer(1))]) { _, _ in throw Refusal() }
        }
        #expect(try numbers() == [])
    }

    @Test func `the last statement is committed with what came before`() throws {
        let connection = try connectionWithTable()
        let affected = try connection.transaction { connection in
            try connection.run(insert, .integer(1))
            return try connection.runAndCommit(Call(insert, .integer(2))).affected
        }
        #expect(affected == 1)
        #expect(try numbers() == [1, 2])
        #expect(try connection.transaction { try $0.run(insert, .integer(3)).affected } == 1)
        #expect(try numbers() == [1, 2, 3])
    }

    @Test func `a last statement that fails undoes all`() throws {
        let connection = try connectionWithTable()
        let outcome = state {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                _ = try connection.runAndCommit(Call(quotient, .integer(0)))
            }
        }
        #expect(outcome == SQLState(rawValue: "22012"))
        #expect(try numbers() == [] && connection.isUsable)
    }

    @Test func `a commit that the server refuses is an error of the last statement`() throws {
        let connection = try connectionWithTable()
        let outcome = state {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                _ = try connection.runAndCommit(Call(insert, .integer(1)))
            }
        }
        #expect(outcome == .uniqueViolation)
        #expect(try numbers() == [] && connection.isUsable)
    }

    @Test func `after a swallowed error the last statement is refused`() throws {
        let connection = try connectionWithTable()
        let outcome = state {
            try connection.transaction { connection in
                try connection.run(insert, .integer(1))
                _ = try? connection.execute(script: "select 1/0")
                _ = try connection.runAndCommit(Call(insert, .integer(2)))
            }
        }
        #expect(outcome == .inFailedSQLTransaction)
        #expect(try numbers() == [])
    }

    @Test func `a connection that ends in between is lost, and nothing was done`() throws {
        for isLast in [true, false] {
            let connection = try connectionWithTable()
            let session = connection.processID
            let outcome = failure {
                try connection.transaction { connection in
                    try connection.run(insert, .integer(1))
                    try terminate(session)
                    if isLast { _ = try connection.runAndCommit(Call(insert, .integer(2))) }
                }
            }
            #expect(outcome?.isUnavailable == true)
            #expect(!connection.isUsable)
            #expect(
                failure { try connection.transaction(opening: [Call(numbersInOrder)]) { _, _ in } }?.isUnavailable
                    == true)
            #expect(try numbers() == [])
            try Connection(TestDatabase.current.settings).execute(script: "drop table t")
        }
    }

    @Test func `first statements that the server no longer knows as they were are prepared anew`() throws {
        let connection = try connectionWithTable()
        let calls = [Call(insert, .integer(1)), Call(everything)]
        #expect(try connection.transaction(opening: calls) { $1[1].count } == 1)
        try connection.execute(script: "alter table t add column more text default 'x'")
        #expect(try connection.transaction(opening: [Call(everything)]) { try $1[0][0].text("more") } == "x")
        try connection.execute(script: "deallocate all")
        let next = [Call(insert, .integer(2)), Call(everything)]
        #expect(try connection.transaction(opening: next) { $1[1].count } == 2)
        #expect(try numbers() == [1, 2])
    }

    @Test func `statements and answers larger than any buffer do not wait for each other`() throws {
        let connection = try Connection(TestDatabase.current.settings)
        let text = String(repeating: "almanac ", count: 1 << 20)
        let calls = (0..<4).map { _ in Call(echo, .text(text)) }
        let lengths = try connection.transaction(opening: calls) { connection, rows in
            try (rows + [connection.runAndCommit(Call(echo, .text(text)))]).map { try $0[0].text("text").utf8.count }
        }
        #expect(lengths == Array(repeating: text.utf8.count, count: 5))
    }

    @Test func `a change committed while one of the first statements waited is seen by the next`() throws {
        let holder = try connectionWithTable()
        try holder.execute(script: "create table l (n integer); insert into l values (1)")
        let waiter = try Connection(TestDatabase.current.settings)
        let session = waiter.processID
        let seen = Monitor<Result<[Int], any Error>?>(nil)
        try holder.transaction(opening: [Call(lock)]) { holder, _ in
            _ = AlmanacPOSIX.Thread(name: "waiter") {
                let outcome = Result {
                    try waiter.transaction(opening: [Call(lock), Call(numbersInOrder)]) {
                        try $1[1].map { try $0.integer("n") }
                    }
                }
                seen.update { $0 = outcome }
            }
            try #require(try eventually { try isWaiting(session) })
            try holder.run(insert, .integer(7))
        }
        #expect(try seen.wait(upTo: .seconds(20)) { $0 }?.get() == [7])
    }

    private func isWaiting(_ session: Int32) throws -> Bool {
        try Connection(TestDatabase.current.settings).run(waits, .integer(session)).count == 1
    }
}

private let numbersInOrder = Statement("-- name: numbers\nselect n from t order by n")
private let everything = Statement("-- name: everything\nselect * from t order by n")
private let quotient = Statement("-- name: quotient\nselect 10 / $1 as q")
private let echo = Statement("-- name: echo\nselect $1 as text")
private let lock = Statement("-- name: lock_l\nselect n from l for update")
private let waits = Statement(
    "-- name: waits\nselect 1 as one from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'")
