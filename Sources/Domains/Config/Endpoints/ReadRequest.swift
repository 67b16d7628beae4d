internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// A read of the config that may be answered: from which snapshot, and as which major sees it.
struct ReadRequest {
    let service: ConfigService
    let snapshot: Snapshot
    let pin: PinnedVersion?
    private let isStale: Bool
    private let headers: Headers

    /// Checks the caller, waits for the revision that the request needs, and finds the pinned major.
    ///
    /// - Parameters:
    ///   - required: a revision that the answer must have reached, besides that of `Almanac-Min-Revision`.
    ///   - hint: a revision that the client may have from another worker: worth a look, but no wait.
    init(_ request: Request, _ context: ConfigContext, required: Cursor? = nil, hint: Cursor? = nil) throws {
        try request.accepts("application/json")
        try context.mayRead(request)
        service = context.service
        headers = request.headers
        let least = try ConfigHeaders.leastRevision(request)
        if let required { try service.store.reach(required) }
        if let least { try service.store.reach(least) }
        if let hint, service.store.current.snapshot.head.isBehind(hint) {
            // While the database is away the snapshot is stale, and says so.
            try? service.refresh(atLeast: hint.revision)
        }
        (snapshot, isStale) = service.store.current
        pin = try PinnedVersion.requested(request.target.query)
        if let pin {
            try snapshot.check(pin)
            service.noteUse(ofMajor: pin.major)
        }
    }

    var view: SnapshotView { snapshot.view(of: pin?.major) }
}

extension ReadRequest {
    /// What an answer says besides its body.
    struct Metadata {
        /// The state shown; the snapshot's own unless the past is asked for.
        var head: Head?
        /// Tells representations of one state apart, such as `-object`.
        var form = ""
        /// The answer is the whole state although a delta was asked for.
        var isFull = false
        /// The answer will never change.
        var isImmutable = false
    }

    /// The answer with its validators, or 304 when the client has it already (RFC 9110 §13.1.2).
    ///
    /// - Parameter body: worked out only when it is needed.
    func answer(_ metadata: Metadata = Metadata(), body: () throws -> [UInt8]) throws -> Response {
        var tag = metadata.head.map { "\($0.cursor)" } ?? snapshot.cursor
        if let pin { tag += "-v\(pin.major)" }
        tag += metadata.form
        if metadata.isFull { tag += "-full" }
        let isKnown = try headers.entityTags("If-None-Match")?.contain(tag) ?? false
        var response = isKnown ? Response(status: 304) : Response(body: try body())
        if let head = metadata.head {
            response.headers += ConfigHeaders.fields(of: head)
        } else {
            response.headers += snapshot
        }
        response.headers.append(("ETag", "\"" + tag + "\""))
        response.headers.append(("Cache-Control", caching(isImmutable: metadata.isImmutable)))
        if let pin { response.headers.append(("Almanac-Major", "\(pin.major)")) }
        if metadata.isFull { response.headers.append(("Almanac-Full", "true")) }
        // An answer that never changes cannot be out of date.
        if isStale && !metadata.isImmutable { response.headers.append(("Almanac-Stale", "true")) }
        return response
    }

    private func caching(isImmutable: Bool) -> String {
        switch (service.settings.configRead, isImmutable) {
        case (.everyone, false): "public, no-cache"
        case (.everyone, true): "public, max-age=31536000, immutable"
        case (_, false): "private, no-cache"
        case (_, true): "private, max-age=31536000, immutable"
        }
    }
}

/// A read of the config as it was at a revision: the query parameter `at`.
struct HistoricalRead {
    let entries: [HistoricalEntry]
    private let read: ReadRequest
    private let head: Head

    init(_ request: Request, _ context: ConfigContext) throws {
        guard let at = request.target.query["at"].flatMap({ Cursor($0) }) else {
            throw Problem(.invalidParameter, "'at' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        let read = try ReadRequest(request, context)
        try read.snapshot.checkPast(at, read.pin)
        (head, entries) = try read.service.pool.withConnection { connection in
            try connection.view { connection in
                (
                    try ConfigHistory.head(at: at.revision, newest: read.snapshot.head, on: connection),
                    try ConfigHistory.entries(at: at.revision, major: read.pin?.major ?? .max, on: connection)
                )
            }
        }
        self.read = read
    }

    /// The answer with its validators. A purge may change the past, so they follow the newest revision too.
    func answer(form: String, body: () throws -> [UInt8]) throws -> Response {
        let form = form + "-at\(read.snapshot.head.revision)"
        return try read.answer(ReadRequest.Metadata(head: head, form: form), body: body)
    }
}
