/// The rows in a backup, counted in the script that `pg_restore` makes of it.
struct CopiedRows {
    /// How many rows each table of the schema `public` has there.
    private(set) var counts: [String: Int64] = [:]
    private var table: String?

    /// Reads a backup to its end.
    ///
    /// - Parameter body: is handed every line of the script that restores it, but for rights to PostgreSQL's own
    ///   functions: those belong to the database as `sql/roles.sql` made it, and only a superuser may grant them.
    init(archive path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var rows = CopiedRows()
        try PostgresProgram("pg_restore").lines(["--no-owner", "--file=-", path]) { line in
            let isData = rows.table != nil
            rows.count(line)
            if isData || !Self.isSystemRight(line) { try body(line) }
        }
        self = rows
    }

    private init() {}

    private static func isSystemRight(_ line: ArraySlice<UInt8>) -> Bool {
        ["REVOKE ALL ON FUNCTION pg_catalog.", "GRANT ALL ON FUNCTION pg_catalog."].contains {
            line.starts(with: $0.utf8)
        }
    }

    private mutating func count(_ line: ArraySlice<UInt8>) {
        if let table {
            if line.elementsEqual("\\.\n".utf8) {
                self.table = nil
            } else {
                counts[table, default: 0] += 1
            }
        } else if line.starts(with: "COPY public.".utf8) {
            let name = line.dropFirst("COPY public.".utf8.count).prefix { $0 != UInt8(ascii: " ") }
            table = String(decoding: name.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
    }
}
