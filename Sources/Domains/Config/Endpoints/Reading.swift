internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacRevisions

/// One read of the config: who may, from which snapshot, and as which major sees it.
struct Reading {
    let service: ConfigService
    let snapshot: Snapshot
    let isStale: Bool
    let pin: PinnedVersion?
    private let headers: Headers

    /// Checks who asks, waits for the revision that the request needs, and finds the pinned major.
    ///
    /// - Parameters:
    ///   - needed: a revision that the answer must have reached, besides that of `Almanac-Min-Revision`.
    ///   - hoped: a revision that another worker may have told the client of: worth a look, but no wait.
    init(_ request: Request, _ context: ConfigContext, needed: Cursor? = nil, hoped: Cursor? = nil) throws {
        try request.accepts("application/json")
        try context.mayRead(request)
        service = context.service
        headers = request.headers
        for cursor in [needed, try Self.minimum(request)].compactMap(\.self) { try Self.reach(cursor, service) }
        if let hoped, service.store.current.snapshot.head.awaits(hoped) {
            // While the database is away the snapshot is stale, and says so.
            try? service.refresh(atLeast: hoped.revision)
        }
        (snapshot, isStale) = service.store.current
        pin = try PinnedVersion.requested(request.target.query)
        if let pin { try check(pin) }
    }

    var view: SnapshotView { snapshot.view(of: pin?.major) }

    /// Refuses a version that was never released, or has been retired.
    private func check(_ pin: PinnedVersion) throws(Problem) {
        guard let major = snapshot.majors[pin.major],
            (pin.minor, pin.patch) <= (major.newest.minor, major.newest.patch)
        else {
            throw Problem(
                .versionNotReleased, "the environment is at \(snapshot.head.version) and has not released \(pin.text)",
                headers: ConfigHeaders.fields(of: snapshot.head))
        }
        if major.retiredAt != nil {
            throw Problem(.majorRetired, "major version \(pin.major) is no longer served")
        }
        service.noteAsk(for: pin.major)
    }

    private static func minimum(_ request: Request) throws(Problem) -> Cursor? {
        guard let text = request.headers["Almanac-Min-Revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidHeader, "Almanac-Min-Revision must be a revision, such as 43")
        }
        return cursor
    }

    /// Waits up to a second for a revision that another worker may just have made.
    ///
    /// One of another lineage is never waited for: it will not come.
    private static func reach(_ cursor: Cursor, _ service: ConfigService) throws {
        let revision = cursor.revision
        guard service.store.current.snapshot.head.awaits(cursor) else { return }
        try service.refresh(atLeast: revision)
        guard service.store.current.snapshot.head.awaits(cursor) else { return }
        if service.store.wait(for: revision, upTo: .seconds(1)) { return }
        try service.refresh(atLeast: revision)
        let head = service.store.current.snapshot.head
        guard !head.awaits(cursor) else {
            throw Problem(
                .revisionNotReached, "revision \(revision) is not here yet; the newest is \(head.revision)",
                headers: [("Retry-After", "1")] + ConfigHeaders.fields(of: head))
        }
    }
}

extension Reading {
    /// What an answer says besides its body.
    struct Marks {
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
    func answer(_ marks: Marks = Marks(), body: () throws -> [UInt8]) throws -> Response {
        var tag = marks.head.map { "\($0.cursor)" } ?? snapshot.cursor
        if let pin { tag += "-v\(pin.major)" }
        tag += marks.form
        if marks.isFull { tag += "-full" }
        let isKnown = try headers.entityTags("If-None-Match")?.contain(tag) ?? false
        var response = isKnown ? Response(status: 304) : Response(body: try body())
        response.headers += marks.head.map { FieldLines(ConfigHeaders.fields(of: $0)) } ?? snapshot.headers
        response.headers.append(("ETag", "\"" + tag + "\""))
        response.headers.append(("Cache-Control", caching(isImmutable: marks.isImmutable)))
        if let pin { response.headers.append(("Almanac-Major", "\(pin.major)")) }
        if marks.isFull { response.headers.append(("Almanac-Full", "true")) }
        // What never changes cannot be out of date.
        if isStale && !marks.isImmutable { response.headers.append(("Almanac-Stale", "true")) }
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
