import AlmanacMigrations
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct MigratorTests {
    private let applied = Statement(
        "-- name: applied\nselect count(*) as count, string_agg(name, ' ' order by number) as names "
            + "from almanac_migrations")

    private func names(_ connection: Connection) throws -> String? {
        try connection.run(applied)[0].optionalText("names")
    }

    @Test func `only what the database lacks is applied`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let first = try migrations(["create table a (n integer)"])
            let both = try migrations([
                "create table a (n integer)", "create table b (n integer); insert into b values (1)",
            ])
            #expect(try Migrator(owner).migrate(first) == first)
            #expect(try Migrator(owner).migrate(first).isEmpty)
            #expect(try Migrator(owner).migrate(both) == [both[1]])
            #expect(try Migrator(owner).migrate(both).isEmpty)
            #expect(try names(owner) == "000001_step.sql 000002_step.sql")
            let count = try owner.run(Statement("-- name: count_b\nselect count(*) as count from b"))
            #expect(try count[0].integer("count") == 1)
        }
    }

    @Test func `migrators that run at once apply each migration once`() throws {
        try TestDatabase.with(template: .owned) { database in
            let steps = try migrations((1...6).map { "create table t\($0) (n integer); select pg_sleep(0.01)" })
            let settings = database.settings(user: TestDatabase.owner)
            let applied = try concurrently(8) { _ in try Migrator(Connection(settings)).migrate(steps).map(\.number) }
            #expect(applied.joined().sorted() == Array(1...6))
            #expect(try self.applied(settings) == 6)
        }
    }

    private func applied(_ settings: ConnectionSettings) throws -> Int {
        try Int(Connection(settings).run(applied)[0].integer("count"))
    }

    @Test func `a migration that was changed after it had been applied is refused by its name`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            _ = try Migrator(owner).migrate(migrations(["create table a (n integer)"]))
            let changed = try migrations(["create table a (n bigint)", "create table b (n integer)"])
            let message = message { try Migrator(owner).migrate(changed) }
            #expect(message == "000001_step.sql was changed after it had been applied")
            #expect(try names(owner) == "000001_step.sql")
        }
    }

    @Test func `a migration that fails leaves nothing of itself and all before it`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let broken = try migrations([
                "create table a (n integer)", "create table b (n integer); insert into a values (1); select 1/0",
                "create table c (n integer)",
            ])
            let message = message { try Migrator(owner).migrate(broken) }
            #expect(message?.hasPrefix("000002_step.sql: ") == true)
            #expect(message?.contains("division by zero") == true)
            #expect(try names(owner) == "000001_step.sql")
            #expect(state { try owner.execute(script: "table b") } == .undefinedTable)
            let rows = try owner.run(Statement("-- name: all_a\nselect n from a"))
            #expect(rows.isEmpty)

            let mended = try migrations(["create table a (n integer)", "create table b (n integer)"])
            #expect(try Migrator(owner).migrate(mended).map(\.number) == [2])
        }
    }

    @Test func `a schema that is too old is named with what to do`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let worker = try database.connection(of: TestDatabase.worker)
            let advice = "and must be at \(Schema.required); run almanac migrate"
            #expect(message { try Schema.check(worker) } == "the schema is at migration 0 \(advice)")
            let all = try Migration.all(inFolder: Checkout.path("sql/migrations"))
            _ = try Migrator(owner).migrate([all[0]])
            #expect(message { try Schema.check(worker) } == "the schema is at migration 1 \(advice)")
            _ = try Migrator(owner).migrate(all)
            #expect(message { try Schema.check(worker) } == nil)
        }
    }

    @Test func `a migration waits for a table in use, and lets others through meanwhile`() throws {
        try TestDatabase.with(template: .owned) { database in
            let settings = database.settings(user: TestDatabase.owner)
            let steps = try migrations(["create table a (n integer)", "alter table a add column m integer"])
            _ = try Migrator(Connection(settings)).migrate([steps[0]])
            // A long read of the table, like a backup's.
            let backup = try Connection(settings)
            try backup.execute(script: "begin; select n from a")
            let applied = Monitor<Result<[Int], any Error>?>(nil)
            let migrator = Thread(name: "migrator") {
                let result = Result { try Migrator(Connection(settings)).migrate(steps).map(\.number) }
                applied.update { $0 = result }
            }
            // A client that comes after the migration started to wait is answered before the backup ends.
            let other = try Connection(settings)
            let waiting = Statement("-- name: waiting\nselect count(*) as count from pg_locks where not granted")
            #expect(try eventually(within: .seconds(20)) { try other.run(waiting)[0].integer("count") == 1 })
            try other.execute(script: "set statement_timeout = '10s'; select n from a")
            #expect(applied.read { $0 == nil })
            try backup.execute(script: "commit")
            #expect(migrator.wait(upTo: .seconds(20)))
            #expect(try applied.read { $0 }?.get() == [2])
        }
    }

    @Test func `a migration that is kept from its table for too long gives up, and has changed nothing`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let steps = try migrations([
                "create table a (n integer)", "create table b (n integer); alter table a add column m integer",
            ])
            _ = try Migrator(owner).migrate([steps[0]])
            let backup = try database.connection(of: TestDatabase.owner)
            try backup.execute(script: "begin; select n from a")
            let message = message { try Migrator(owner, timeout: .zero).migrate(steps) }
            #expect(
                message?.hasPrefix("000002_step.sql: its tables stay in use") == true, "\(message ?? "")")
            try backup.execute(script: "rollback")
            #expect(state { try owner.execute(script: "table b") } == .undefinedTable)
            #expect(try Migrator(owner).migrate(steps).map(\.number) == [2])
        }
    }

    @Test func `a copy of the migrated database can be migrated on`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            #expect(try Migrator(owner).migrate(Migration.all(inFolder: Checkout.path("sql/migrations"))).isEmpty)
            #expect(throws: Never.self) { try owner.execute(script: "create table later (n integer)") }
        }
    }
}
