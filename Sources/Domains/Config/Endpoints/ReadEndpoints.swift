internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

enum ReadEndpoints {
    /// Handles `GET /{environment}/config`: returns the whole config, a delta (`since`), a past state (`at`), summaries
    /// (`form`) or the entries that contain a text (`q`).
    static func config(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let seesFlags = try context.mayRead(request)
        let query = request.target.query
        try query.allow("since", "revision", "at", "version", "form", "q", "after")
        if !query.isEmpty, let listing = try Listing(query) { return try listing.answer(request, context, seesFlags) }
        if query["at"] != nil {
            guard query["since"] == nil, query["revision"] == nil else {
                throw Problem(.invalidParameter, "'at' shows a whole state; leave out 'since' and 'revision'")
            }
            let past = try HistoricalRead(request, context, seesFlags)
            return try past.answer(form: "") { Representation.array(past.entries.map(\.json)) }
        }
        if let since = query["since"] { return try delta(since, request, context, seesFlags) }
        guard query["revision"] == nil else {
            throw Problem(.invalidParameter, "'revision' names the end of a delta; it needs 'since' as its beginning")
        }
        let read = try ReadRequest(request, context, seesFlags: seesFlags)
        return try read.answer { read.view.representation(.array) }
    }

    /// Handles `GET /{environment}/config.json`: returns an object with a member per key.
    static func object(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        try context.mayRead(request)
        try request.target.query.allow("nested", "at", "version")
        let isNested = try request.target.query.boolean("nested")
        let form = isNested ? "-nested" : "-object"
        if request.target.query["at"] != nil {
            let past = try HistoricalRead(request, context, false)
            return try past.answer(form: form) {
                let members = past.entries.map { ($0.key, $0.value ?? []) }
                return isNested ? Representation.nested(members) : Representation.object(members)
            }
        }
        let read = try ReadRequest(request, context, seesFlags: false)
        return try read.answer(ReadRequest.Metadata(form: form)) {
            read.view.representation(isNested ? .nested : .object)
        }
    }

    /// Handles `GET /{environment}/config/{key}`: returns an entry, or for a timestamp the entries changed since.
    static func entry(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let seesFlags = try context.mayRead(request)
        try request.target.query.allow("version")
        let text = captures["key"]
        // A timestamp begins with a digit, and a key never does.
        if let first = text.utf8.first, (48...57).contains(first) {
            guard let time = Timestamp(text) else {
                throw Problem(.invalidTimestamp, "expected a key, or a time such as 2020-10-17T18:43:19.000Z")
            }
            let read = try ReadRequest(request, context, seesFlags: seesFlags)
            return try read.answer(ReadRequest.Metadata(form: "-after")) {
                read.view.delta(after: time, hasTombstones: false)
            }
        }
        let key = try EntryKey.checked(text)
        let read = try ReadRequest(request, context, seesFlags: seesFlags)
        guard let entry = read.view.entry(key), !entry.isTombstone else {
            throw ConfigRefusal.entryNotFound(key, in: read.snapshot.head)
        }
        let tag = PartTag(of: entry, in: read.snapshot.head)
        return try read.answer(ReadRequest.Metadata(part: tag)) { EntryJSON.document(entry) }
    }
}

/// An authorized read of the config: the snapshot to answer from, and the pinned major.
final class ReadRequest {
    let service: ConfigService
    let snapshot: Snapshot
    let pin: PinnedVersion?
    let seesFlags: Bool
    let isStale: Bool
    private let headers: Headers

    /// Waits for the required revisions and resolves the pinned major. The caller's read access must be checked before.
    ///
    /// - Parameters:
    ///   - required: A revision that the response must include, besides that of `Almanac-Min-Revision`.
    ///   - hint: A revision that the client may have from another worker, which causes a refresh but no wait.
    ///   - pin: The pinned version if the query has none.
    init(
        _ request: Request, _ context: ConfigContext, seesFlags: Bool = true, required: Cursor? = nil,
        hint: Cursor? = nil, pin: PinnedVersion? = nil
    ) throws {
        self.seesFlags = seesFlags
        try request.accepts("application/json")
        service = context.service
        headers = request.headers
        let minRevision = try ConfigHeaders.minRevision(request)
        if let required { try service.store.waitUntilReached(required, arrival: request.arrival) }
        if let minRevision { try service.store.waitUntilReached(minRevision, arrival: request.arrival) }
        if let hint, !service.store.current.snapshot.head.hasReached(hint) {
            // If the database is unreachable, the response is marked as stale instead.
            try? service.refresh(atLeast: hint.revision, in: hint.lineage)
        }
        (snapshot, isStale) = service.store.current
        self.pin = try PinnedVersion.requested(request.target.query) ?? pin
        if let pin = self.pin {
            try snapshot.check(pin)
            // A page only shows what builds see, so its requests do not count as uses.
            if request.application == nil { service.recordUse(ofMajor: pin.major) }
        }
    }

    var view: SnapshotView { snapshot.view(of: pin?.major, seesFlags: seesFlags) }

    /// Reads the past of the snapshot's history in one read transaction.
    ///
    /// - Parameter body: Receives the connection and the head that the transaction sees.
    /// - Throws: `HistoryReplaced` if the database now has another history.
    func past<Result>(to end: Cursor, _ body: (Connection, Head) throws -> Result) throws -> Result {
        let result: Result? = try service.pool.withConnection { connection in
            try connection.view(opening: [Call(HeadStatements.read)]) { connection, rows in
                let head = try Head(rows[0].single("config_head"))
                guard head.lineage == snapshot.head.lineage, head.revision >= end.revision else { return nil }
                return try body(connection, head)
            }
        }
        if let result { return result }
        throw HistoryReplaced(refusal: .revisionNotReached(end.revision, newest: snapshot.head))
    }

    /// Runs the body again after a refresh if the history was replaced in the meantime.
    static func retryingAfterReplacement<Result>(_ context: ConfigContext, _ body: () throws -> Result) throws -> Result
    {
        do {
            return try body()
        } catch is HistoryReplaced {
            try context.service.refresh()
            do { return try body() } catch let replaced as HistoryReplaced { throw replaced.refusal }
        }
    }

    /// The error for a snapshot whose history the database no longer has.
    private struct HistoryReplaced: Error {
        let refusal: ConfigRefusal
    }
}

extension ReadRequest {
    /// The properties of a response apart from its body.
    struct Metadata {
        /// The state shown if it is a past state; nil for the snapshot's own.
        var head: Head?
        /// The tag of the part of the config that is shown; nil for the whole config.
        var part: PartTag?
        /// The suffix of the entity tag that distinguishes representations of one state, such as `-object`.
        var form = ""
        /// True if the response is the whole state although the client requested a delta.
        var isFull = false
        /// True if the response will never change.
        var isImmutable = false
        /// True if the response requires the scope `config:read`, whatever the environment's settings allow.
        var isForReaders = false
    }

    /// Returns the response with its validators, or 304 if the client has it already.
    ///
    /// - Parameter body: Runs only if the response needs a body.
    func answer(_ metadata: Metadata = Metadata(), body: () throws -> [UInt8]) throws -> Response {
        let (head, part) = (metadata.head ?? snapshot.head, metadata.part)
        var tag = part?.text ?? metadata.head.map { "\($0.cursor)" } ?? snapshot.cursor
        if let pin { tag += "-v\(pin.major)" }
        tag += metadata.form
        if metadata.isFull { tag += "-full" }
        let showsFlags = seesFlags && !snapshot.flags.isEmpty
        if showsFlags { tag += PartTag.withFlags }
        let isKnown = try ReadConditions(headers).isNotModified(tag, head.lastModified)
        var response = isKnown ? .notModified(tag, for: headers) : Response(body: try body())
        if !isKnown { response.headers.append(tag: tag) }
        if let head = metadata.head {
            response.headers += ConfigHeaders.fields(of: head)
        } else {
            response.headers += snapshot
        }
        response.headers.append(
            line: caching(isImmutable: metadata.isImmutable, isForReaders: showsFlags || metadata.isForReaders))
        if service.settings.configRead != .everyone || !snapshot.flags.isEmpty {
            // Callers may see different parts of the config, so a cache must not share responses between them.
            response.headers.append(line: "Vary: Authorization, Cookie\r\n")
        }
        if let pin { response.headers.append(("Almanac-Major", "\(pin.major)")) }
        if metadata.isFull { response.headers.append(("Almanac-Full", "true")) }
        // An immutable response cannot be stale.
        if isStale && !metadata.isImmutable { response.headers.append(("Almanac-Stale", "true")) }
        return response
    }

    private func caching(isImmutable: Bool, isForReaders: Bool) -> StaticString {
        switch (isForReaders ? .token : service.settings.configRead, isImmutable) {
        case (.everyone, false): "Cache-Control: public, no-cache\r\n"
        case (.everyone, true): "Cache-Control: public, max-age=31536000, immutable\r\n"
        case (_, false): "Cache-Control: private, no-cache\r\n"
        case (_, true): "Cache-Control: private, max-age=31536000, immutable\r\n"
        }
    }
}
