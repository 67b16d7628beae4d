import AlmanacMigrations
import AlmanacTestSupport
import Testing

@Suite struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a folder's migrations come in order with the digests of their files`() throws {
        try folder.write("000002_second.sql", "select 2;".utf8)
        try folder.write("000001_first.sql", "select 1;\n".utf8)
        try folder.write("README", "no migration".utf8)
        let migrations = try Migration.all(inFolder: folder.path)
        #expect(migrations.map(\.number) == [1, 2])
        #expect(migrations.map(\.name) == ["000001_first.sql", "000002_second.sql"])
        #expect(migrations.map(\.sql) == ["select 1;\n", "select 2;"])
        let sums = try Command.run("sh", ["-c", "cd '\(folder.path)' && sha256sum *.sql | cut -d ' ' -f 1"]).output
        #expect(migrations.map(\.digest).joined(separator: "\n") + "\n" == sums)
    }

    @Test(arguments: [
        ["000002_late.sql"], ["000001_a.sql", "000003_c.sql"], ["000001_a.sql", "000001_b.sql"], ["000000_zero.sql"],
        ["1_short.sql"], ["0000001_long.sql"], ["+00001_sign.sql"], ["abcdef_word.sql"], ["first.sql"],
    ])
    func `a name out of line is refused with its path`(names: [String]) throws {
        for name in names { try folder.write(name, "select 1;".utf8) }
        let message = message { try Migration.all(inFolder: folder.path) }
        #expect(message?.hasPrefix("\(folder.path)/\(names.last ?? "")") == true, "\(message ?? "it was taken")")
        #expect(message?.contains("expected") == true)
    }

    @Test(arguments: [
        ("select 1;", 1), ("-- Adds a column.\n\n-- keeps: 0\nselect 1;", 0), ("-- keeps: 2", 2),
        ("-- It keeps: 0 rows.", 1),
    ])
    func `a migration keeps the programs of the migration before, or of the one that its file names`(
        sql: String, keeps: Int
    ) throws {
        #expect(try migrations(["select 1;", sql])[1].keeps == keeps)
    }

    @Test(arguments: [
        "-- keeps: 3", "-- keeps: -1", "-- keeps 1", "--keeps: ", "--  Keeps: 1 and more", "-- keeps: 1\n-- keeps: 1",
    ])
    func `a line about the programs that a migration keeps is refused if it is invalid`(sql: String) {
        let message = message { try migrations(["select 1;", sql]) }
        #expect(
            message?.hasSuffix("000002_step.sql: expected one line '-- keeps: N' at most, with N from 0 to 2") == true,
            "\(message ?? "it was taken")")
    }

    @Test func `a folder without migrations is refused`() throws {
        #expect(message { try Migration.all(inFolder: folder.path) }?.contains(folder.path) == true)
        #expect(message { try Migration.all(inFolder: "/nowhere") } == "/nowhere: No such file or directory")
    }

    @Test func `the release relies on migrations that it has`() throws {
        let migrations = try Migration.all(inFolder: Checkout.path("sql/migrations"))
        #expect(migrations.map(\.number).contains(Schema.required))
    }
}
