internal import AlmanacEnvironments
public import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

public enum EventsRoutes {
    public static let all: [Route<EventsContext>] = [
        Route("GET", "/{environment}/events", claim: { $1.claim(of: $0) }, EventsEndpoint.events),
        Route("GET", "/{environment}/events/status", claim: { $1.claim(of: $0) }, EventsStatusEndpoint.show),
    ]
}

/// The call `GET /{environment}/events`: a stream, or a long poll, of all changes that the caller may see.
enum EventsEndpoint {
    /// The maximum wait of a long poll, in seconds.
    private static let maxWaitSeconds: Int64 = 60
    /// The maximum number of missed changes that are resent. A reader with more must resync.
    private static let maxMissedChanges: Int64 = 10_000

    static func events(_ request: Request, _: Captures, _ context: EventsContext) throws -> Response {
        let subscriber = try context.subscriber(of: request)
        try request.accepts("text/event-stream")
        try request.target.query.allow("wait", "lastEventId", "ofrep", "ticket")
        let wait = try request.target.query.integer("wait", in: 0...maxWaitSeconds)
        var response = Response(
            status: 200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                // Tells other proxies on the path not to buffer.
                ("X-Accel-Buffering", "no"),
            ])
        if request.method == "HEAD" {
            response.body = .stream { _ in }
        } else {
            let new = try newStream(for: subscriber, request, timeout: wait.map { .seconds($0) }, context)
            response.body = .stream { context.hub.open(new, on: $0) }
        }
        return response
    }

    private static func newStream(
        for subscriber: Subscriber, _ request: Request, timeout: Duration?, _ context: EventsContext
    ) throws -> NewStream {
        let slot = try subscriber.user.map { try Self.slot(for: $0, context) }
        let given = request.headers["Last-Event-ID"] ?? request.target.query["lastEventId"]
        let id = given.flatMap { EventID($0) }
        let (head, account) = try heads(for: subscriber, id, context)
        let config =
            subscriber.readsConfig ? start(id?.config, lineage: head.lineage, head.oldestRevision...head.revision) : nil
        let notes = account.flatMap {
            start(id?.notes, lineage: $0.lineage, $0.oldestRevision...$0.revision)
        }
        // A reader with a cursor of an erased account must drop its data.
        let isErased = subscriber.user != nil && account == nil && (id?.notes?.revision ?? 0) > 0
        let stream = Stream(
            subscriber, config: subscriber.readsConfig ? config ?? head.revision : nil,
            notes: account.map { account in
                Stream.NotesPosition(account: account.id, lineage: account.lineage, revision: notes ?? account.revision)
            }, endsAfterChange: timeout != nil)
        let isLost = subscriber.readsConfig && config == nil || account != nil && notes == nil || isErased
        return NewStream(
            stream: stream, head: head, account: account, slot: slot, needsResync: given != nil && isLost,
            needsHello: timeout == nil || given == nil, timeout: timeout)
    }

    /// Takes one of the streams that a user may have open.
    private static func slot(for user: VerifiedUser, _ context: EventsContext) throws(Problem) -> StreamSlot {
        let limit = context.settings.limits.streams
        guard let slot = context.hub.slots.acquire(user, limit: limit) else {
            throw Problem(
                .tooManyStreams, "the account has \(limit) open streams; close one first",
                headers: [("Retry-After", "\(Message.pingInterval)")])
        }
        return slot
    }

    /// Returns the heads of the histories that a subscriber follows.
    private static func heads(
        for subscriber: Subscriber, _ id: EventID?, _ context: EventsContext
    ) throws -> (config: ConfigHead, account: AccountHead?) {
        // Another process may have sent a release that this process does not know yet.
        if subscriber.user == nil, let head = context.hub.head, (id?.config?.revision ?? 0) <= head.revision {
            return (head, nil)
        }
        return try context.pool.withConnection { connection in
            let head = try ConfigFeed.head(on: connection)
            guard let user = subscriber.user else { return (head, nil) }
            return (head, try NotesFeed.account(of: user, database: head.lineage, on: connection))
        }
    }

    /// Returns the revision after which a reader is sent changes, or nil if the reader must resync.
    private static func start(_ cursor: Cursor?, lineage: String, _ kept: ClosedRange<Int64>) -> Int64? {
        guard let cursor, kept.contains(cursor.revision), kept.upperBound - cursor.revision <= maxMissedChanges else {
            return nil
        }
        // A reader at revision 0 has missed nothing, whatever the lineage.
        return cursor.revision == 0 || cursor.lineage == lineage ? cursor.revision : nil
    }
}
