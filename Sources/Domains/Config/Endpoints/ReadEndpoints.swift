internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The calls that read the config.
enum ReadEndpoints {
    /// `GET /{environment}/config`: the whole config, a delta (`since`), or a state of the past (`at`); in short
    /// (`form`), or the entries that a text occurs in (`q`).
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

    /// `GET /{environment}/config.json`: one object with a member per key.
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

    /// `GET /{environment}/config/{key}`: one entry, or with a timestamp in place of the key the entries changed since.
    static func entry(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let seesFlags = try context.mayRead(request)
        try request.target.query.allow("version")
        let text = captures["key"]
        // A key never begins like a timestamp does.
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
        return try read.answer(ReadRequest.Metadata(part: tag)) { EntryJSON.long(entry) }
    }
}

/// A read of the config that may be answered: from which snapshot, and as which major sees it.
struct ReadRequest {
    let service: ConfigService
    let snapshot: Snapshot
    let pin: PinnedVersion?
    /// Whether flags are for the caller to read.
    let seesFlags: Bool
    let isStale: Bool
    private let headers: Headers

    /// For a caller who may read the config: waits for the revision that the request needs, and finds the pinned major.
    ///
    /// - Parameters:
    ///   - required: a revision that the answer must have reached, besides that of `Almanac-Min-Revision`.
    ///   - hint: a revision that the client may have from another worker: worth a look, but no wait.
    ///   - pin: the pinned version, unless the query has one.
    init(
        _ request: Request, _ context: ConfigContext, seesFlags: Bool = true, required: Cursor? = nil,
        hint: Cursor? = nil, pin: PinnedVersion? = nil
    ) throws {
        self.seesFlags = seesFlags
        try request.accepts("application/json")
        service = context.service
        headers = request.headers
        let least = try ConfigHeaders.leastRevision(request)
        if let required { try service.store.reach(required, arrival: request.arrival) }
        if let least { try service.store.reach(least, arrival: request.arrival) }
        if let hint, !service.store.current.snapshot.head.hasReached(hint) {
            // While the database is away the snapshot is stale, and says so.
            try? service.refresh(atLeast: hint.revision, in: hint.lineage)
        }
        (snapshot, isStale) = service.store.current
        self.pin = try PinnedVersion.requested(request.target.query) ?? pin
        if let pin = self.pin {
            try snapshot.check(pin)
            // By a build of an app: a page that shows what builds see is none.
            if request.application == nil { service.noteUse(ofMajor: pin.major) }
        }
    }

    var view: SnapshotView { snapshot.view(of: pin?.major, seesFlags: seesFlags) }

    /// Reads the past of the snapshot's history in one view of the database.
    ///
    /// - Parameter body: is also given the head in that view.
    /// - Throws: `HistoryReplaced` where the database has another history by now.
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

    /// Answers once more from the history that the database has by now, where that was replaced meanwhile.
    static func retrying<Result>(_ context: ConfigContext, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is HistoryReplaced {
            try context.service.refresh()
            do { return try body() } catch let replaced as HistoryReplaced { throw replaced.refusal }
        }
    }

    /// The snapshot is of a history that the database has no more.
    private struct HistoryReplaced: Error {
        let refusal: ConfigRefusal
    }
}

extension ReadRequest {
    /// Everything about a response but its body.
    struct Metadata {
        /// The state shown; the snapshot's own unless the past is asked for.
        var head: Head?
        /// The tag of the only part of the config that is shown; nil where the whole is.
        var part: PartTag?
        /// Tells representations of one state apart, such as `-object`.
        var form = ""
        /// The answer is the whole state although a delta was asked for.
        var isFull = false
        /// The answer will never change.
        var isImmutable = false
        /// The answer is for callers with the scope `config:read` alone, whatever the environment says.
        var isForReaders = false
    }

    /// The answer with its validators, or 304 when the client has it already.
    ///
    /// - Parameter body: worked out only when it is needed.
    func answer(_ metadata: Metadata = Metadata(), body: () throws -> [UInt8]) throws -> Response {
        let (head, part) = (metadata.head ?? snapshot.head, metadata.part)
        var tag = part?.text ?? metadata.head.map { "\($0.cursor)" } ?? snapshot.cursor
        if let pin { tag += "-v\(pin.major)" }
        tag += metadata.form
        if metadata.isFull { tag += "-full" }
        let showsFlags = seesFlags && !snapshot.flags.isEmpty
        if showsFlags { tag += PartTag.withFlags }
        let isKnown = try ReadConditions(headers).know(tag, head.lastModified)
        var response = isKnown ? .notModified(tag, for: headers) : Response(body: try body())
        if !isKnown { response.headers.append(("ETag", "\"" + tag + "\"")) }
        if let head = metadata.head {
            response.headers += ConfigHeaders.fields(of: head)
        } else {
            response.headers += snapshot
        }
        response.headers.append(
            (
                "Cache-Control",
                caching(isImmutable: metadata.isImmutable, isForReaders: showsFlags || metadata.isForReaders)
            ))
        if service.settings.configRead != .everyone || !snapshot.flags.isEmpty {
            // So that no cache gives a caller the answer of another, who may see more.
            response.headers.append(("Vary", "Authorization, Cookie"))
        }
        if let pin { response.headers.append(("Almanac-Major", "\(pin.major)")) }
        if metadata.isFull { response.headers.append(("Almanac-Full", "true")) }
        // An answer that never changes cannot be out of date.
        if isStale && !metadata.isImmutable { response.headers.append(("Almanac-Stale", "true")) }
        return response
    }

    private func caching(isImmutable: Bool, isForReaders: Bool) -> String {
        switch (isForReaders ? .token : service.settings.configRead, isImmutable) {
        case (.everyone, false): "public, no-cache"
        case (.everyone, true): "public, max-age=31536000, immutable"
        case (_, false): "private, no-cache"
        case (_, true): "private, max-age=31536000, immutable"
        }
    }
}
