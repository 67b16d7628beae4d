internal import AlmanacPOSIX

/// The contents of a file of `almanac backup`, found by reading all of it.
public struct BackupFile: Sendable {
    public let path: String
    public let bytes: Int
    /// The creation time in the file's header.
    public let madeAt: String
    /// The name of the database that was backed up.
    public let database: String
    public let state: DatabaseState
    /// The number of rows of each table, sorted by table name.
    public let tables: [(name: String, rows: Int64)]

    public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }

    /// Reads a file to its end.
    ///
    /// - Throws: `MaintenanceFailure` if the file is incomplete, no backup, or of a database without Almanac's schema.
    public init(_ path: String) throws { try self.init(path) { _ in } }

    /// - Parameter line: receives every line of the script that restores the backup.
    init(_ path: String, line: (ArraySlice<UInt8>) throws -> Void) throws {
        self.path = path
        do throws(SystemFailure) { bytes = try File.size(path) } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        let head = try Self.head(path)
        madeAt = head["Archive created at"] ?? ""
        database = head["dbname:"] ?? ""
        var state = DatabaseState()
        let found = try CopiedRows(archive: path, tables: DatabaseState.tables, row: { state.read($0) }, line: line)
        guard found.counts["config_head"] == 1 else {
            throw MaintenanceFailure("\(path) is not a backup of an environment of Almanac")
        }
        self.state = state
        tables = found.counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func rows(of table: String) -> Int64 { tables.first { $0.name == table }?.rows ?? 0 }

    /// Reads the header comments of `pg_restore --list`: `;     dbname: almanac_production`.
    private static func head(_ path: String) throws -> [String: String] {
        var head: [String: String] = [:]
        do {
            try PostgresProgram("pg_restore").lines(["--list", path]) { line in
                guard line.first == UInt8(ascii: ";") else { return }
                let text = String(decoding: line.dropFirst(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
                for name in ["Archive created at", "dbname:"] where text.hasPrefix(name + " ") {
                    head[name] = String(text.dropFirst(name.count + 1))
                }
            }
        } catch let failure as MaintenanceFailure {
            throw MaintenanceFailure("\(path): \(failure)")
        }
        return head
    }
}
