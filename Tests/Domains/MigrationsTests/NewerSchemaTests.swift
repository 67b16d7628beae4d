import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Tests of a schema with migrations that a release does not know.
@Suite struct NewerSchemaTests {
    private let steps = ["create table a (n integer)", "create table b (n integer)", "create table c (n integer)"]

    @Test func `a schema that is one migration newer is left as it is`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            _ = try Migrator(owner).migrate(migrations(Array(steps[..<2])))
            #expect(try Migrator(owner).migrate(migrations([steps[0]])).isEmpty)
            let state = try Schema.state(owner, known: 1)
            #expect(state.warning == "the schema is at migration 2, newer than this release's 1")
            #expect(try Schema.state(owner, known: 2).warning == nil)
        }
    }

    @Test func `a schema that is two migrations newer is refused, untouched`() throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            _ = try Migrator(owner).migrate(migrations(steps))
            try owner.execute(script: "delete from almanac_migrations where number = 1; drop table a")
            let message = message { try Migrator(owner).migrate(migrations([steps[0]])) }
            #expect(
                message == "the schema is at migration 3 and works with programs from migration 2 on, but this release "
                    + "ends at 1; install a release in between ('almanac version' shows schema 2 or later)")
            #expect(state { try owner.execute(script: "table a") } == .undefinedTable)
        }
    }

    /// The headers of the migrations 2 and 3, and the migrations that programs of migration 1 work with.
    @Test(arguments: [
        (["", ""], false), (["", "-- keeps: 1"], true), (["-- keeps: 2", "-- keeps: 1"], false),
        (["-- keeps: 0", "-- keeps: 0"], true), (["", "-- keeps: 3"], false),
    ])
    func `each newer migration says which programs it keeps`(headers: [String], isAccepted: Bool) throws {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let scripts = [steps[0], "\(headers[0])\n\(steps[1])", "\(headers[1])\n\(steps[2])"]
            _ = try Migrator(owner).migrate(migrations(scripts))
            #expect((message { try Migrator(owner).migrate(migrations([steps[0]])) } == nil) == isAccepted)
            #expect((message { try Schema.state(owner, known: 1).refuseNewer() } == nil) == isAccepted)
        }
    }

    @Test func `programs start on a schema that is one migration newer, and on no newer one`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let worker = try database.connection(of: TestDatabase.worker)
            let next = Schema.required + 1
            func add(_ number: Int) throws {
                try owner.execute(script: "insert into almanac_migrations values (\(number), 'later', '')")
            }
            #expect(try Schema.check(worker).warning == nil)
            try add(next)
            #expect(
                try Schema.check(worker).warning
                    == "the schema is at migration \(next), newer than this release's \(Schema.required)")
            try add(next + 1)
            let refusal = message { try Schema.check(worker) }
            let reason = "migration \(next + 1) and works with programs from migration \(next) on"
            #expect(refusal?.contains(reason) == true)
        }
    }

    @Test func `a table of an earlier release gets the missing column, and is read without it before`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            let worker = try database.connection(of: TestDatabase.worker)
            try owner.execute(script: "alter table almanac_migrations drop column keeps")
            #expect(try Schema.check(worker).newest == Schema.required)
            // A dump of the database keeps the table's definition.
            let dump = try database.connection(of: TestDatabase.owner)
            try dump.execute(script: "begin; lock table almanac_migrations in access share mode")
            let all = try Migration.all(inFolder: Checkout.path("sql/migrations"))
            let message = message { try Migrator(owner, timeout: .zero).migrate(all) }
            #expect(message?.hasPrefix("almanac_migrations: its tables stay in use") == true, "\(message ?? "")")
            try dump.execute(script: "rollback")
            #expect(try Migrator(owner).migrate(all).isEmpty)
            try owner.execute(script: "select keeps from almanac_migrations")
            // The next call locks no table that a dump could hold.
            try dump.execute(script: "begin; lock table almanac_migrations in access share mode")
            #expect(try Migrator(owner, timeout: .zero).migrate(all).isEmpty)
        }
    }
}
