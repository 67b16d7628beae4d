internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

extension ReadEndpoints {
    /// The entries and tombstones that changed since a place in the history.
    static func delta(_ since: String, _ request: Request, _ context: ConfigContext) throws -> Response {
        let start = try Start(since)
        let end = try endCursor(request)
        let lineage = context.service.store.current.snapshot.head.lineage
        // A delta that begins in another history ends as the whole state, which is there already.
        let isForeign = (start.cursor?.lineage ?? lineage) != lineage
        let reading = try Reading(request, context, needed: isForeign ? nil : end, hoped: start.cursor)
        let head = reading.snapshot.head
        switch start {
        case .time(let time):
            guard end == nil else {
                throw Problem(.invalidParameter, "'revision' needs a 'since' that is a revision or a cursor too")
            }
            return try reading.answer(Reading.Marks(form: "-since")) { reading.view.delta(after: time) }
        case .cursor(let cursor):
            if let end, end.revision < cursor.revision {
                throw Problem(.invalidParameter, "'revision' must not be before 'since'")
            }
            guard head.reaches(cursor), end.map(head.reaches) ?? true else {
                return try reading.answer(Reading.Marks(isFull: true)) { try reading.view.representation(.array) }
            }
            if let end, end.revision < head.revision { return try past(from: cursor, to: end, reading) }
            return try reading.answer(Reading.Marks(form: "-since", isImmutable: end != nil)) {
                reading.view.delta(after: cursor.revision)
            }
        }
    }

    /// A delta that ended before the newest revision, worked out from the history.
    private static func past(from start: Cursor, to end: Cursor, _ reading: Reading) throws -> Response {
        let (head, documents) = try reading.service.pool.withConnection { connection in
            try connection.view { connection in
                let head = try Past.head(at: end.revision, reading.snapshot.head, on: connection)
                let rows = try connection.run(
                    HistoryStatements.changedBetween, .bigint(start.revision), .bigint(end.revision),
                    .integer(Int32(clamping: reading.pin?.major ?? .max)))
                var documents: [[UInt8]] = []
                for row in rows {
                    let value = try row.optionalBytes("value")
                    // Within a pinned major only a purge, which every major sees, removes a key.
                    if try value == nil && reading.pin != nil && row.integer("from_major") > 1 { continue }
                    documents.append(
                        EntryJSON.short(
                            key: try row.text("key"), value: value, updatedAt: try row.timestamp("updated_at")))
                }
                return (head, documents)
            }
        }
        return try reading.answer(Reading.Marks(head: head, form: "-since", isImmutable: true)) {
            Representation.array(documents)
        }
    }

    private static func endCursor(_ request: Request) throws(Problem) -> Cursor? {
        guard let text = request.target.query["revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidParameter, "'revision' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        return cursor
    }
}

/// Where a delta starts: the value of `since`.
private enum Start {
    case cursor(Cursor)
    case time(Timestamp)

    var cursor: Cursor? {
        if case .cursor(let cursor) = self { cursor } else { nil }
    }

    init(_ text: String) throws(Problem) {
        // A plus sign that was not percent-encoded has become a space; a time holds no other.
        let time = String(text.map { $0 == " " ? "+" : $0 })
        if let cursor = Cursor(text) {
            self = .cursor(cursor)
        } else if let time = Timestamp(time) {
            self = .time(time)
        } else {
            throw Problem(
                .invalidParameter,
                "'since' must be a revision such as 43, a cursor such as 43.k3f9, or a time such as 2020-10-17T18:43:19.000Z"
            )
        }
    }
}
