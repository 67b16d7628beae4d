internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The calls that read the config.
enum ReadEndpoints {
    /// `GET /{environment}/config`: the whole config, a delta (`since`), or a state of the past (`at`).
    static func config(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let query = request.target.query
        try query.allow("since", "revision", "at", "version")
        if query["at"] != nil {
            guard query["since"] == nil, query["revision"] == nil else {
                throw Problem(.invalidParameter, "'at' shows a whole state; leave out 'since' and 'revision'")
            }
            let past = try HistoricalRead(request, context)
            return try past.answer(form: "") { Representation.array(past.entries.map(\.json)) }
        }
        if let since = query["since"] { return try delta(since, request, context) }
        guard query["revision"] == nil else {
            throw Problem(.invalidParameter, "'revision' names the end of a delta; it needs 'since' as its beginning")
        }
        let read = try ReadRequest(request, context)
        return try read.answer { try read.view.representation(.array) }
    }

    /// `GET /{environment}/config.json`: one object with a member per key.
    static func object(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow("nested", "at", "version")
        let isNested = try request.target.query.boolean("nested")
        let form = isNested ? "-nested" : "-object"
        if request.target.query["at"] != nil {
            let past = try HistoricalRead(request, context)
            return try past.answer(form: form) {
                let members = past.entries.map { ($0.key, $0.value ?? []) }
                return isNested ? try Representation.nested(members) : Representation.object(members)
            }
        }
        let read = try ReadRequest(request, context)
        return try read.answer(ReadRequest.Metadata(form: form)) {
            try read.view.representation(isNested ? .nested : .object)
        }
    }

    /// `GET /{environment}/config/{key}`: one entry, or with a timestamp in place of the key the entries changed since.
    static func entry(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow("version")
        let text = captures["key"]
        // A key never begins like a timestamp does.
        if let first = text.utf8.first, (48...57).contains(first) {
            guard let time = Timestamp(text) else {
                throw Problem(.invalidTimestamp, "expected a key, or a time such as 2020-10-17T18:43:19.000Z")
            }
            let read = try ReadRequest(request, context)
            return try read.answer(ReadRequest.Metadata(form: "-after")) {
                read.view.delta(after: time, hasTombstones: false)
            }
        }
        let key = try ConfigKey.checked(text)
        let read = try ReadRequest(request, context)
        guard let entry = read.view.entry(key), !entry.isTombstone else {
            throw ConfigRefusal.entryNotFound(key, in: read.snapshot.head)
        }
        return try read.answer(ReadRequest.Metadata(form: "-entry")) { EntryJSON.long(entry) }
    }

    /// The entries and tombstones that changed since a place in the history.
    private static func delta(_ since: String, _ request: Request, _ context: ConfigContext) throws -> Response {
        let start = try DeltaStart(since)
        let end = try deltaEnd(request)
        let newest = context.service.store.current.snapshot.head
        // A delta that begins in another history ends as the whole state, which is there already.
        let isForeign = start.cursor.map { !newest.isOfSameHistory(as: $0) } ?? false
        let read = try ReadRequest(request, context, required: isForeign ? nil : end, hint: start.cursor)
        let head = read.snapshot.head
        switch start {
        case .time(let time):
            guard end == nil else {
                throw Problem(.invalidParameter, "'revision' needs a 'since' that is a revision or a cursor too")
            }
            return try read.answer(ReadRequest.Metadata(form: "-since")) { read.view.delta(after: time) }
        case .cursor(let cursor):
            if let end, end.revision < cursor.revision {
                throw Problem(.invalidParameter, "'revision' must not be before 'since'")
            }
            guard head.knowsChanges(since: cursor), end.map(head.knowsChanges) ?? true else {
                return try read.answer(ReadRequest.Metadata(isFull: true)) { try read.view.representation(.array) }
            }
            if let end, end.revision < head.revision { return try pastDelta(from: cursor, to: end, read) }
            return try read.answer(ReadRequest.Metadata(form: "-since", isImmutable: end != nil)) {
                read.view.delta(after: cursor.revision)
            }
        }
    }

    /// A delta that ended before the newest revision, worked out from the history.
    private static func pastDelta(from start: Cursor, to end: Cursor, _ read: ReadRequest) throws -> Response {
        let (head, changes) = try read.service.pool.withConnection { connection in
            try connection.view { connection in
                (
                    try ConfigHistory.head(at: end.revision, newest: read.snapshot.head, on: connection),
                    try ConfigHistory.changes(
                        after: start.revision, upTo: end.revision, major: read.pin?.major, on: connection)
                )
            }
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

/// Where a delta starts: the value of `since`.
private enum DeltaStart {
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
