/// The rows in a backup, counted in the script that `pg_restore` prints.
struct CopiedRows {
    /// The number of rows of each table in the schema `public`.
    private(set) var counts: [String: Int64] = [:]
    private var copy: (table: String, columns: [Substring])?

    /// Reads a backup to its end.
    ///
    /// - Parameters:
    ///   - tables: the tables whose rows are passed to `row`.
    ///   - line: receives every line of the script, except rights on PostgreSQL's own functions. Only a superuser may
    ///     grant those rights, and `sql/roles.sql` has set them for the database.
    init(
        archive path: String, tables: Set<String> = [], row: (CopiedRow) -> Void = { _ in },
        line body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var rows = CopiedRows()
        do {
            try PostgresProgram("pg_restore").lines(["--no-owner", "--file=-", path]) { line in
                let isData = rows.copy != nil
                if let read = rows.read(line, of: tables) { row(read) }
                if isData || !Self.isSystemRight(line) { try body(line) }
            }
        } catch let failure as MaintenanceFailure {
            throw MaintenanceFailure("\(path): \(failure)")
        }
        self = rows
    }

    private init() {}

    private static func isSystemRight(_ line: ArraySlice<UInt8>) -> Bool {
        ["REVOKE ALL ON FUNCTION pg_catalog.", "GRANT ALL ON FUNCTION pg_catalog."].contains {
            line.starts(with: $0.utf8)
        }
    }

    /// Counts a line if it is a row, and parses it if the row's table is wanted.
    private mutating func read(_ line: ArraySlice<UInt8>, of tables: Set<String>) -> CopiedRow? {
        guard let copy else {
            if line.starts(with: "COPY public.".utf8) { begin(String(decoding: line, as: UTF8.self)) }
            return nil
        }
        if line.elementsEqual("\\.\n".utf8) {
            self.copy = nil
            return nil
        }
        counts[copy.table, default: 0] += 1
        return tables.contains(copy.table) ? CopiedRow(line.dropLast(), table: copy.table, columns: copy.columns) : nil
    }

    /// - Parameter line: `COPY public.api_tokens (id, digest) FROM stdin;`
    private mutating func begin(_ line: String) {
        let parts = line.dropFirst("COPY public.".count).split(separator: " ", maxSplits: 1)
        let columns = parts.last?.split(separator: ")").first?.drop { $0 == "(" } ?? ""
        copy = (
            parts.first.map { $0.filter { $0 != "\"" } } ?? "",
            columns.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" } }
        )
    }
}

/// A row as `COPY` writes it ("Text Format" of PostgreSQL's manual).
struct CopiedRow {
    let table: String
    private let fields: [Substring: String]

    fileprivate init(_ line: ArraySlice<UInt8>, table: String, columns: [Substring]) {
        self.table = table
        var fields: [Substring: String] = [:]
        let values = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        for (column, value) in zip(columns, values) where !value.elementsEqual("\\N".utf8) {
            fields[column] = Self.unescaped(value)
        }
        self.fields = fields
    }

    /// The text of a column; nil for null, or if there is no such column.
    subscript(column: String) -> String? { fields[column[...]] }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "v"): bytes.append(11)
            default: bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
