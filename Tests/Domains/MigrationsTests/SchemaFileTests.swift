import AlmanacMigrations
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Checks that `sql/schema.sql` equals the migrated schema, so that a review shows every change of the schema.
@Suite struct SchemaFileTests {
    private static let header = """
        -- The schema that the migrations make, as pg_dump shows it. Written by a test, never by hand:
        --     ALMANAC_UPDATE_SCHEMA=1 deploy/test


        """

    @Test func `the schema file is the dump of the migrated database`() throws {
        let path = Checkout.path("sql/schema.sql")
        let dump = try TestDatabase.with(template: .migrated) { try Self.dump($0) }
        #expect(dump.contains("CREATE TABLE public.config_head ("))
        if Process.variable("ALMANAC_UPDATE_SCHEMA") == "1" {
            let written = try Command.run("tee", [path], input: Array((Self.header + dump).utf8))
            #expect(written.succeeded, "\(written.errors)")
        }
        let file = Self.normalised(String(decoding: try File.read(path), as: UTF8.self))
        let (expected, found) = (file.split(separator: "\n"), dump.split(separator: "\n"))
        let difference = found.difference(from: expected).map { change in
            switch change {
            case .insert(_, let line, _): "only in the database: \(line)"
            case .remove(_, let line, _): "only in the file: \(line)"
            }
        }
        #expect(difference.isEmpty, "set ALMANAC_UPDATE_SCHEMA=1 to write sql/schema.sql anew")
        #expect(file == dump, "set ALMANAC_UPDATE_SCHEMA=1 to write sql/schema.sql anew")
    }

    /// Dumps a database with the machine's newest `pg_dump`, which reads servers of its version and older.
    private static func dump(_ database: TestDatabase) throws -> String {
        let versions = try File.names(inFolder: "/usr/lib/postgresql").compactMap { Int($0) }
        let program = "/usr/lib/postgresql/\(try #require(versions.max()))/bin/pg_dump"
        let outcome = try Command.run(program, ["--schema-only", "--dbname", database.conninfo()])
        try #require(outcome.succeeded, "\(outcome.errors)")
        return normalised(outcome.output)
    }

    /// Returns a dump without comments, session settings and all else that differs between two dumps or between minor
    /// versions of PostgreSQL.
    private static func normalised(_ dump: String) -> String {
        var lines: [Substring] = []
        for line in dump.split(separator: "\n", omittingEmptySubsequences: false) {
            let isNoise = ["--", "\\", "SET ", "SELECT pg_catalog.set_config("].contains { line.hasPrefix($0) }
            if isNoise || line.isEmpty && lines.last?.isEmpty != false { continue }
            lines.append(line.hasPrefix(" DELETE FROM ") ? Substring(line.replacing(" AS ", with: " ")) : line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }
}
