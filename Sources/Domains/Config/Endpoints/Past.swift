internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The config as it was at a revision: the query parameter `at`.
struct Past {
    /// An entry as it was.
    struct Entry {
        let key: String
        let value: [UInt8]
        let description: String
        let updatedAt: Timestamp
    }

    let reading: Reading
    let entries: [Entry]
    private let head: Head

    init(_ request: Request, _ context: ConfigContext) throws {
        guard let at = request.target.query["at"].flatMap({ Cursor($0) }) else {
            throw Problem(.invalidParameter, "'at' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        let reading = try Reading(request, context)
        try Self.check(at, reading)
        let (head, entries) = try reading.service.pool.withConnection { connection in
            try connection.view { connection in
                (
                    try Self.head(at: at.revision, reading.snapshot.head, on: connection),
                    try Self.entries(at: at.revision, major: reading.pin?.major ?? .max, on: connection)
                )
            }
        }
        self.reading = reading
        self.head = head
        self.entries = entries
    }

    /// A purge may change the past, so the validator follows the newest revision too.
    func marks(form: String) -> Reading.Marks {
        Reading.Marks(head: head, form: form + "-at\(reading.snapshot.head.revision)")
    }

    private static func check(_ at: Cursor, _ reading: Reading) throws(Problem) {
        let head = reading.snapshot.head
        guard (at.lineage ?? head.lineage) == head.lineage, at.revision <= head.revision else {
            throw Problem(.releaseNotFound, "there is no revision \(at); the newest is \(head.cursor)")
        }
        guard at.revision >= head.oldestRevision else {
            throw Problem(.revisionNotKept, "the history begins at revision \(head.oldestRevision)")
        }
        if let pin = reading.pin, let major = reading.snapshot.majors[pin.major], major.releasedRevision > at.revision {
            throw Problem(
                .versionNotReleased, "major version \(pin.major) was released at revision \(major.releasedRevision)")
        }
    }

    /// The entries that a major saw at a revision, ordered by key.
    static func entries(at revision: Int64, major: Int, on connection: Connection) throws -> [Entry] {
        let rows = try connection.run(
            HistoryStatements.stateAt, .bigint(revision), .integer(Int32(clamping: major)))
        return try rows.compactMap { row in
            guard let value = try row.optionalBytes("value") else { return nil }
            return Entry(
                key: try row.text("key"), value: value, description: try row.text("description"),
                updatedAt: try row.timestamp("updated_at"))
        }
    }

    /// The head as it was at a revision.
    static func head(at revision: Int64, _ newest: Head, on connection: Connection) throws -> Head {
        if revision == newest.revision { return newest }
        guard let row = try connection.run(HistoryStatements.release, .bigint(revision)).first else {
            guard revision == 0 else { throw Problem(.releaseNotFound, "there is no release \(revision)") }
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
