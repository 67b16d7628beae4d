import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct TestDatabaseTests {
    private static let preparations = Monitor(0)
    private static let template = TestDatabase.Template { settings in
        preparations.update { $0 += 1 }
        try Connection(settings).execute(script: "create table t (n integer unique)")
    }

    @Test(.database(template), arguments: 1...4)
    func `each case has a copy of the template, which is prepared once`(number: Int32) throws {
        let connection = try Connection(TestDatabase.current.settings)
        try connection.run(Statement("-- name: insert_number\ninsert into t values ($1), (0)"), .integer(number))
        #expect(Self.preparations.read(\.self) == 1)
    }

    @Test func `a database is gone after its use, even one that is connected to`() throws {
        let (name, connection) = try TestDatabase.with { database in
            (database.name, try Connection(database.settings))
        }
        #expect(!connection.isUsable)
        let left = try Connection(TestCluster.settings).run(
            Statement("-- name: left_over\nselect from pg_database where datname = $1"), .text(name))
        #expect(left.isEmpty)
    }
}
