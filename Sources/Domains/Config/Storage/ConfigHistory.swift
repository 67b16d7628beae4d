internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// An entry as it was at some revision.
struct HistoricalEntry {
    let key: String
    let kind: EntryKind
    /// Nil where the entry had been removed.
    let value: [UInt8]?
    let description: String
    let updatedAt: Timestamp

    /// In the form that entries of the present have.
    var json: [UInt8] { EntryJSON.short(key: key, kind: kind, value: value, updatedAt: updatedAt) }

    fileprivate init(_ row: Row) throws(PostgresFailure) {
        key = try row.text("key")
        kind = try row.entryKind("kind")
        value = try row.optionalBytes("value")
        description = try row.text("description")
        updatedAt = try row.timestamp("updated_at")
    }
}

/// The config as it was, worked out from what each release changed.
enum ConfigHistory {
    /// The entries that a major saw at a revision, ordered by key.
    static func entries(
        at revision: Int64, major: Int = .max, seesFlags: Bool = true, on connection: Connection
    ) throws(PostgresFailure) -> [HistoricalEntry] {
        var entries: [HistoricalEntry] = []
        for row in try connection.run(HistoryStatements.state(at: revision, major: major, seesFlags: seesFlags)) {
            let entry = try HistoricalEntry(row)
            if entry.value != nil { entries.append(entry) }
        }
        return entries
    }

    /// The changes after one revision and up to another, ordered by key.
    ///
    /// - Parameter major: what a client sees that is pinned to it; nil for one that is not.
    static func changes(
        after start: Int64, upTo end: Int64, major: Int?, seesFlags: Bool, on connection: Connection
    ) throws(PostgresFailure) -> [HistoricalEntry] {
        var changes: [HistoricalEntry] = []
        let rows = try connection.run(
            HistoryStatements.changed(after: start, upTo: end, major: major ?? .max, seesFlags: seesFlags))
        for row in rows {
            let entry = try HistoricalEntry(row)
            // Within a pinned major only a purge, which every major sees, removes a key.
            if entry.value == nil, major != nil, try row.integer("from_major") > 1 { continue }
            changes.append(entry)
        }
        return changes
    }

    /// The head as it was at a revision.
    static func head(at revision: Int64, newest: Head, on connection: Connection) throws -> Head {
        if revision == newest.revision { return newest }
        guard let row = try connection.run(HistoryStatements.release(revision)).first else {
            guard revision == 0 else { throw ConfigRefusal.releaseNotFound(revision) }
            return Head(
                lineage: newest.lineage, revision: 0, updatedAt: Timestamp(milliseconds: 0), version: .unreleased,
                oldestRevision: newest.oldestRevision, rewrittenRevision: 0)
        }
        let release = try Release(row)
        return Head(
            lineage: newest.lineage, revision: revision, updatedAt: release.releasedAt, version: release.version,
            oldestRevision: newest.oldestRevision, rewrittenRevision: newest.rewrittenRevision)
    }
}
