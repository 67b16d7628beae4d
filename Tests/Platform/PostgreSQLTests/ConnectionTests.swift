import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func `a violated constraint is named with its code`() throws {
        try withTestDatabase { settings in
            let connection = try Connection(settings)
            try connection.execute(
                script: "create table entry (key text constraint entry_key unique, n integer check (n > 0))")
            let insert = Statement("-- name: insert_entry\ninsert into entry values ($1, $2)")
            try connection.run(insert, .text("very private"), .integer(1))
            do {
                try connection.run(insert, .text("very private"), .integer(1))
                Issue.record("the second insert passed")
            } catch PostgresFailure.refused(let error) {
                #expect(error.state == .uniqueViolation)
                #expect(error.constraint == "entry_key")
                #expect(error.table == "entry")
                #expect(error.detail?.contains("very private") == true)
                for text in ["\(error)", "\(PostgresFailure.refused(error))", String(reflecting: error)] {
                    #expect(text.contains("entry_key"))
                    #expect(!text.contains("very private"))
                }
                var dumped = ""
                dump(PostgresFailure.refused(error), to: &dumped)
                #expect(!dumped.contains("very private"))
            }
            #expect(state { try connection.run(insert, .text("b"), .integer(0)) } == .checkViolation)
            #expect(connection.isUsable)
        }
    }

    @Test(
        arguments: [
            ("selec 1", .syntaxError), ("select * from nowhere", .undefinedTable),
            ("select 'x'::integer", .invalidTextRepresentation),
            ("set statement_timeout = 1; select pg_sleep(5)", .queryCanceled),
            ("select 1\0", .characterNotInRepertoire),
            ("begin read only; create table t ()", .readOnlySQLTransaction),
        ] as [(String, SQLState)])
    func `a refused script says why`(script: String, expected: SQLState) throws {
        let connection = try Connection(TestCluster.settings)
        #expect(state { try connection.execute(script: script) } == expected)
    }

    @Test func `a script that copies rows leaves the connection unusable`() throws {
        let connection = try Connection(TestCluster.settings)
        #expect(throws: PostgresFailure.self) {
            try connection.execute(script: "create temporary table t (n integer); copy t from stdin")
        }
        #expect(!connection.isUsable)
        #expect(throws: PostgresFailure.self) { try connection.execute(script: "select 1") }
    }

    @Test func `a statement is prepared once for each connection`() throws {
        let connection = try Connection(TestCluster.settings)
        let count = Statement(
            "-- name: count_prepared\nselect count(*) as count, min(name) as name from pg_prepared_statements")
        for _ in 0..<3 {
            let row = try connection.run(count)[0]
            #expect(try row.integer("count") == 1)
            #expect(try row.text("name") == "count_prepared")
        }
    }

    @Test func `a statement whose result changed its type is prepared anew`() throws {
        try withTestDatabase { settings in
            let connection = try Connection(settings)
            try connection.execute(script: "create table t (n integer); insert into t values (7)")
            let all = Statement("-- name: all_of_t\nselect * from t")
            #expect(try connection.run(all)[0].integer("n") == 7)
            try connection.execute(script: "alter table t add column more text default 'new'")
            #expect(try connection.run(all)[0].text("more") == "new")

            try connection.execute(script: "alter table t add column yet text")
            let inTransaction = state { try connection.transaction { try $0.run(all) } }
            #expect(inTransaction == .featureNotSupported)
            #expect(try connection.transaction { try $0.run(all)[0].optionalText("yet") } == nil)
        }
    }

    @Test func `a statement that somebody deallocated is prepared anew`() throws {
        let connection = try Connection(TestCluster.settings)
        let one = Statement("-- name: one\nselect 1 as one")
        try connection.run(one)
        try connection.execute(script: "deallocate all")
        #expect(try connection.run(one)[0].integer("one") == 1)
        try connection.execute(script: "deallocate all")
        #expect(state { try connection.transaction { try $0.run(one) } } == .invalidSQLStatementName)
        #expect(try connection.run(one)[0].integer("one") == 1)
    }

    @Test func `an ended connection says that it was lost`() throws {
        let connection = try Connection(TestCluster.settings)
        try terminate(connection.processID)
        do {
            try connection.run(Statement("-- name: too_late\nselect 1"))
            Issue.record("a terminated connection answered")
        } catch {
            guard case .lost(let reason) = error else {
                Issue.record("not lost but \(error)")
                return
            }
            #expect(error.isUnavailable)
            #expect(reason.contains("terminating connection"))
        }
        #expect(!connection.isUsable)
        #expect(throws: PostgresFailure.self) { try connection.run(Statement("-- name: later\nselect 1")) }
    }

    @Test func `an idle connection that the server ended is not usable`() throws {
        let connection = try Connection(TestCluster.settings)
        #expect(connection.isUsable)
        try terminate(connection.processID)
        #expect(!connection.isUsable)
    }

    @Test func `notices go nowhere`() throws {
        let connection = try Connection(TestCluster.settings)
        try connection.execute(script: "do $$ begin raise warning 'not for standard error'; end $$")
        #expect(connection.isUsable)
    }
}
