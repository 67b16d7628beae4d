internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacNotesDomain
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// `GET /{environment}/events`: one stream of everything that the caller may see, or a long poll of it.
enum EventsEndpoint {
    /// The longest that a long poll waits, in seconds.
    private static let longestWait: Int64 = 60
    /// Who has missed more changes than this reads everything anew.
    private static let mostMissed: Int64 = 10_000

    static func events(_ request: Request, _: Captures, _ visit: EventsVisit) throws -> Response {
        try request.accepts("text/event-stream")
        try request.target.query.allow("wait", "lastEventId")
        let wait = try request.target.query.integer("wait", in: 0...longestWait)
        let audience = try visit.context.audience(of: request)
        if request.method != "HEAD" {
            visit.opening = try opening(for: audience, request, wait: wait.map { .seconds($0) }, visit.context)
        }
        var response = Response(
            status: 200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                // For other proxies on the way.
                ("X-Accel-Buffering", "no"),
            ])
        response.isOpenEnded = true
        return response
    }

    private static func opening(
        for audience: Audience, _ request: Request, wait: Duration?, _ context: EventsContext
    ) throws -> Opening {
        var seat: Seat?
        if let user = audience.user {
            seat = context.hub.seats.take(user, limit: context.settings.limits.streams)
            guard seat != nil else {
                throw Problem(
                    .tooManyStreams, "the account has \(context.settings.limits.streams) open streams; close one first",
                    headers: [("Retry-After", "\(Message.pingInterval)")])
            }
        }
        let given = request.headers["Last-Event-ID"] ?? request.target.query["lastEventId"]
        let id = given.flatMap { EventID($0) }
        let (head, account) = try standing(of: audience, id, context)
        let config =
            audience.readsConfig ? start(id?.config, lineage: head.lineage, head.oldestRevision...head.revision) : nil
        let notes = account.map {
            start(id?.notes, lineage: $0.lineage, $0.oldestRevision...$0.revision)
        }
        // Who has an account's cursor and no account any more has to let go of what they have.
        let isForeign = audience.user != nil && account == nil && (id?.notes?.revision ?? 0) > 0
        let stream = Stream(
            audience, config: audience.readsConfig ? config ?? head.revision : nil,
            notes: account.map { account in
                Stream.NotesPlace(
                    account: account.id, lineage: account.lineage, revision: (notes ?? nil) ?? account.revision)
            },
            endsAfterNews: wait != nil)
        let isLost = audience.readsConfig && config == nil || account != nil && (notes ?? nil) == nil || isForeign
        return Opening(
            stream: stream, head: head, account: account, seat: seat, needsResync: given != nil && isLost,
            needsHello: wait == nil || given == nil, wait: wait)
    }

    /// Where the histories of a caller stand.
    private static func standing(
        of audience: Audience, _ id: EventID?, _ context: EventsContext
    ) throws -> (head: ConfigHead, account: AccountHead?) {
        // Another process may have told of a release that this one has not heard of yet.
        if audience.user == nil, let head = context.hub.head, (id?.config?.revision ?? 0) <= head.revision {
            return (head, nil)
        }
        return try context.pool.withConnection { connection in
            let head = try ConfigFeed.head(on: connection)
            guard let user = audience.user else { return (head, nil) }
            return (head, try NotesFeed.account(of: user, database: head.lineage, on: connection))
        }
    }

    /// The revision that a reader with a cursor is told from; nil when they have to read everything anew.
    private static func start(_ cursor: Cursor?, lineage: String, _ kept: ClosedRange<Int64>) -> Int64? {
        guard let cursor, kept.contains(cursor.revision), kept.upperBound - cursor.revision <= mostMissed else {
            return nil
        }
        // Who has seen nothing yet has missed nothing, in whatever history.
        return cursor.revision == 0 || cursor.lineage == lineage ? cursor.revision : nil
    }
}
