internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

extension ReadEndpoints {
    /// Returns the entries and tombstones that changed since a point in the history.
    static func delta(
        _ since: String, _ request: Request, _ context: ConfigContext, _ seesFlags: Bool
    ) throws -> Response {
        try ReadRequest.retryingAfterReplacement(context) { try knownDelta(since, request, context, seesFlags) }
    }

    private static func knownDelta(
        _ since: String, _ request: Request, _ context: ConfigContext, _ seesFlags: Bool
    ) throws -> Response {
        let start = try DeltaStart(since)
        let end = try deltaEnd(request)
        let newest = context.service.store.current.snapshot.head
        // A delta from another history becomes the whole state, which needs no wait.
        let isForeign = start.cursor.map { !newest.isOfSameHistory(as: $0) } ?? false
        let read = try ReadRequest(
            request, context, seesFlags: seesFlags, required: isForeign ? nil : end, hint: start.cursor)
        let head = read.snapshot.head
        switch start {
        case .time(let time):
            guard end == nil else {
                throw Problem(.invalidParameter, "'revision' needs 'since' to be a revision or a cursor too")
            }
            return try read.answer(ReadRequest.Metadata(form: "-since")) { read.view.delta(after: time) }
        case .cursor(let cursor):
            if let end, end.revision < cursor.revision, !end.isOfOtherHistory(than: cursor) {
                throw Problem(.invalidParameter, "'revision' must not be before 'since'")
            }
            guard head.knowsChanges(since: cursor), end.map(head.knowsChanges) ?? true else {
                return try read.answer(ReadRequest.Metadata(isFull: true)) { read.view.representation(.array) }
            }
            if let end, end.revision < head.revision { return try pastDelta(from: cursor, to: end, read) }
            return try read.answer(ReadRequest.Metadata(form: "-since", isImmutable: end != nil)) {
                read.view.delta(after: cursor.revision)
            }
        }
    }

    /// Returns a delta that ends before the newest revision, computed from the history.
    private static func pastDelta(from start: Cursor, to end: Cursor, _ read: ReadRequest) throws -> Response {
        let found = try read.past(to: end) { connection, newest -> (head: Head, changes: [HistoricalEntry])? in
            // The history may have been trimmed after the snapshot, and caches keep this response forever.
            guard newest.knowsChanges(since: start) else { return nil }
            return (
                try ConfigHistory.head(at: end.revision, newest: read.snapshot.head, on: connection),
                try ConfigHistory.changes(
                    after: start.revision, upTo: end.revision, major: read.pin?.major, seesFlags: read.seesFlags,
                    on: connection)
            )
        }
        guard let (head, changes) = found else {
            return try read.answer(ReadRequest.Metadata(isFull: true)) { read.view.representation(.array) }
        }
        return try read.answer(ReadRequest.Metadata(head: head, form: "-since", isImmutable: true)) {
            Representation.array(changes.map(\.json))
        }
    }

    private static func deltaEnd(_ request: Request) throws(Problem) -> Cursor? {
        guard let text = request.target.query["revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidParameter, "'revision' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        return cursor
    }
}

extension Cursor {
    /// Returns true if two cursors have different lineages. A cursor without a lineage matches every lineage.
    fileprivate func isOfOtherHistory(than other: Cursor) -> Bool {
        guard let lineage, let otherLineage = other.lineage else { return false }
        return lineage != otherLineage
    }
}

/// The start of a delta, parsed from `since`.
private enum DeltaStart {
    case cursor(Cursor)
    case time(Timestamp)

    var cursor: Cursor? { if case .cursor(let cursor) = self { cursor } else { nil } }

    init(_ text: String) throws(Problem) {
        // An unencoded plus sign was decoded to a space; a timestamp contains no other space.
        let time = String(text.map { $0 == " " ? "+" : $0 })
        if let cursor = Cursor(text) {
            self = .cursor(cursor)
        } else if let time = Timestamp(time) {
            self = .time(time)
        } else {
            throw Problem(
                .invalidParameter,
                "'since' must be a revision such as 43, a cursor such as 43.k3f9, "
                    + "or a time such as 2020-10-17T18:43:19.000Z")
        }
    }
}

/// A read of the config at a past revision, given by the query parameter `at`.
struct HistoricalRead {
    let entries: [HistoricalEntry]
    private let read: ReadRequest
    private let head: Head

    init(_ request: Request, _ context: ConfigContext, _ seesFlags: Bool) throws {
        guard let at = request.target.query["at"].flatMap({ Cursor($0) }) else {
            throw Problem(.invalidParameter, "'at' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        (read, head, entries) = try ReadRequest.retryingAfterReplacement(context) {
            let read = try ReadRequest(request, context, seesFlags: seesFlags)
            try read.snapshot.checkPast(at, read.pin)
            return try read.past(to: at) { connection, newest in
                guard at.revision >= newest.oldestRevision else {
                    throw ConfigRefusal.revisionTrimmed(oldest: newest.oldestRevision)
                }
                return (
                    read, try ConfigHistory.head(at: at.revision, newest: read.snapshot.head, on: connection),
                    try ConfigHistory.entries(
                        at: at.revision, major: read.pin?.major ?? .max, seesFlags: seesFlags, on: connection)
                )
            }
        }
    }

    /// Returns the response with its validators, which include the newest revision because a purge may change the past.
    func answer(form: String, isForReaders: Bool = false, body: () throws -> [UInt8]) throws -> Response {
        let form = form + "-at\(read.snapshot.head.revision)"
        return try read.answer(ReadRequest.Metadata(head: head, form: form, isForReaders: isForReaders), body: body)
    }
}
