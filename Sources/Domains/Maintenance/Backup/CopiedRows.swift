/// The rows in a backup, counted in the script that `pg_restore` makes of it.
struct CopiedRows {
    /// How many rows each table of the schema `public` has there.
    private(set) var counts: [String: Int64] = [:]
    private var table: String?

    /// Reads a backup to its end.
    ///
    /// - Parameter body: is handed every line of the script that restores it.
    init(archive path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var rows = CopiedRows()
        try PostgresProgram("pg_restore").lines(["--no-owner", "--file=-", path]) { line in
            rows.count(line)
            try body(line)
        }
        self = rows
    }

    private init() {}

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
