internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// An entry at a past revision.
struct HistoricalEntry {
    let key: String
    let kind: EntryKind
    /// The value; nil if the entry had been removed.
    let value: [UInt8]?
    let description: String
    let updatedAt: Timestamp

    /// The JSON in the form of current entries.
    var json: [UInt8] { EntryJSON.listElement(key: key, kind: kind, value: value, updatedAt: updatedAt) }

    fileprivate init(_ row: Row) throws(PostgresFailure) {
        key = try row.text("key")
        kind = try row.entryKind("kind")
        value = try row.optionalBytes("value")
        description = try row.text("description")
        updatedAt = try row.timestamp("updated_at")
    }
}

/// The past states of the config, computed from the changes of each release.
enum ConfigHistory {
    /// Returns the entries that a major saw at a revision, sorted by key.
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

    /// Returns the changes after one revision and up to another, sorted by key.
    ///
    /// - Parameter major: The major of a pinned client; nil for a client without a pin.
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

    /// Returns the head at a past revision.
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
