import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Checks that migrations are safe while workers of the previous release run.
@Suite struct UpgradeRuleTests {
    /// The allowed contractions of the schema, as `table.column`, which the previous release had stopped using.
    private static let contractions: Set<String> = []

    private static let columns = Statement(
        """
        -- name: test_columns
        select c.relname || '.' || a.attname as name,
            format_type(a.atttypid, a.atttypmod) || case when a.attnotnull and not a.atthasdef and a.attidentity = ''
                then ' needed' else '' end as kind
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        """)

    private static let files = Statement(
        """
        -- name: test_files
        select c.relname as name, pg_relation_filenode(c.oid)::bigint as file
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'
        """)

    private static let rights = Statement(
        """
        -- name: test_rights
        select table_name || ': ' || privilege_type as name from information_schema.role_table_grants
        where grantee = 'almanac_worker'
        """)

    /// The schema as the programs of one release see it.
    private struct Shape {
        /// The type of each column, with a mark if every inserted row must contain it.
        let columns: [String: String]
        /// The file node of each table, which changes when the table is rewritten.
        let files: [String: Int64]
        let rights: Set<String>

        init(_ connection: Connection) throws {
            columns = try Dictionary(
                uniqueKeysWithValues: connection.run(UpgradeRuleTests.columns).map {
                    (try $0.text("name"), try $0.text("kind"))
                })
            files = try Dictionary(
                uniqueKeysWithValues: connection.run(UpgradeRuleTests.files).map {
                    (try $0.text("name"), try $0.bigint("file"))
                })
            rights = try Set(connection.run(UpgradeRuleTests.rights).map { try $0.text("name") })
        }

        /// Returns the changes that break programs of the previous release or make them wait.
        func faults(after before: Shape) -> [String] {
            let tables = Set(before.columns.keys.map { $0.prefix { $0 != "." } })
            var faults: [String] = []
            for (column, kind) in before.columns where columns[column] != kind {
                faults.append(columns[column].map { "\(column) was \(kind) and is \($0)" } ?? "\(column) is gone")
            }
            for (column, kind) in columns where before.columns[column] == nil && kind.hasSuffix(" needed") {
                if tables.contains(column.prefix { $0 != "." }) {
                    faults.append("\(column) has to be named in every insert")
                }
            }
            for (table, file) in before.files where files[table] != nil && files[table] != file {
                faults.append("\(table) was rewritten")
            }
            faults += before.rights.subtracting(rights).map { "no right any more: \($0)" }
            return faults.sorted()
        }
    }

    private func faults(_ migrations: [Migration]) throws -> [String] {
        try TestDatabase.with(template: .owned) { database in
            let owner = try database.connection(of: TestDatabase.owner)
            var faults: [String] = []
            var before: Shape?
            for count in 1...migrations.count {
                _ = try Migrator(owner).migrate(Array(migrations.prefix(count)))
                let now = try Shape(owner)
                if let before { faults += now.faults(after: before).map { "\(migrations[count - 1].name): \($0)" } }
                before = now
            }
            return faults
        }
    }

    @Test func `no migration takes away what the release before works with`() throws {
        let faults = try faults(Migration.all(inFolder: Checkout.path("sql/migrations")))
        #expect(faults.filter { fault in !Self.contractions.contains { fault.contains($0) } } == [])
    }

    @Test(arguments: [
        ("alter table a drop column n", ["a.n is gone"]),
        ("drop table a", ["a.n is gone", "no right any more: a: SELECT"]),
        ("alter table a rename n to m", ["a.n is gone"]),
        ("alter table a alter n type bigint", ["a was rewritten", "a.n was integer and is bigint"]),
        ("alter table a add m integer not null", ["a.m has to be named in every insert"]),
        ("alter table a alter n set not null", ["a.n was integer and is integer needed"]),
        ("alter table a add m uuid default gen_random_uuid()", ["a was rewritten"]),
        ("revoke select on a from almanac_worker", ["no right any more: a: SELECT"]),
        ("alter table a add m integer not null default 1; create index on a (m)", []),
        ("create table b (n integer not null)", []),
    ])
    func `a migration that would stop workers of the release before is found`(sql: String, found: [String]) throws {
        let steps = try migrations(["create table a (n integer); grant select on a to almanac_worker", sql])
        #expect(try faults(steps) == found.map { "000002_step.sql: \($0)" })
    }
}
