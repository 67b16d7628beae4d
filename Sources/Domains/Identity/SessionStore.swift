public import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// A cache of one environment's sessions. A session is read at its first use and cached until the database announces
/// its end, so a check needs no database query.
public final class SessionStore: Sendable {
    /// The channel that announces the end of a session by its id; an empty id stands for all sessions.
    public static let channel = "almanac_sessions"

    let environment: EnvironmentName
    /// The issuer of the users who may have sessions; nil if there are none.
    let issuer: String?
    let pool: Pool
    public let people: PeopleStore
    private let tokens: TokenStore
    private let waits: WaitLimit
    private let clock: ServerClock

    /// Invariant: `recent` and `previous` together hold at most `capacity` sessions. No end of a cached session was
    /// announced since its read began. Uses seen in this process are included.
    private struct State {
        var recent: [[UInt8]: Session] = [:]
        /// The sessions of `recent` when it was last full; a used one moves back, an unused one is evicted.
        var previous: [[UInt8]: Session] = [:]
        /// The number of announcements so far.
        var generation = 0
    }
    private let state = Mutex(State())
    private let uses = LastUses<String, Timestamp>()

    private static let capacity = 20_000
    /// The minimum time between two recorded uses of a session, in milliseconds.
    private static let useInterval: Int64 = 60_000

    /// - Parameters:
    ///   - tokens: the tokens of the same environment; a session ends with its token.
    ///   - people: the people of the same environment; removed people are refused.
    ///   - waits: limits the threads that read unknown sessions at the same time.
    public init(
        _ settings: EnvironmentSettings, pool: Pool, tokens: TokenStore, people: PeopleStore,
        waits: WaitLimit = WaitLimit(8), clock: ServerClock = .system
    ) {
        environment = settings.name
        issuer = settings.issuer
        self.pool = pool
        self.people = people
        self.tokens = tokens
        self.waits = waits
        self.clock = clock
    }

    /// The time used to decide whether a session has ended.
    var now: Timestamp { Timestamp(milliseconds: clock.milliseconds()) }

    /// Returns the user who is signed in, by a request's cookie; nil without an accepted cookie.
    ///
    /// - Throws: `sessionEnded` if the cookie's session has ended; `personRemoved` if its person was removed.
    func caller(of request: Request) throws(Problem) -> Caller? {
        guard request.takesCookies, let application = request.application else { return nil }
        switch SessionCookie(sessionOf: environment).find(in: request) {
        case .nothing: return nil
        case .unusable: throw ended
        case .secret(let secret):
            guard let session = try session(secret.digest), session.application == application else { throw ended }
            if session.isOfRemovedPerson { throw .personRemoved }
            if let user = session.user { try people.check(user) }
            guard let caller = caller(session) else { throw ended }
            try check(request, isFrom: caller)
            recordUse(session)
            return caller
        }
    }

    /// Throws if the request names a user who is no longer signed in. All pages of a browser share one cookie, so
    /// another user may have signed in since the page was opened.
    private func check(_ request: Request, isFrom caller: Caller) throws(Problem) {
        guard let name = request.headers["Almanac-User"] else { return }
        guard let subject = String(percentEncoded: name) else {
            throw Problem(.invalidHeader, "Almanac-User must be the subject of the user, percent-encoded")
        }
        guard caller.user?.subject.hasSameBytes(as: subject) != true else { return }
        throw Problem(
            .sessionOfAnotherUser, "another user has signed in at '\(environment)' since this page was opened",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    /// Returns true if the request's session is cached or not needed, so that no database query is necessary.
    func knows(_ request: Request) -> Bool {
        guard request.takesCookies, case .secret(let secret) = SessionCookie(sessionOf: environment).find(in: request)
        else { return true }
        return state.withLock { Self.find(secret.digest, &$0) }.map { now < $0.expiresAt } ?? false
    }

    /// Returns the session of a request's cookie, even if its token is no longer valid; nil if the session has ended.
    func presented(by request: Request) throws(Problem) -> Session? {
        guard request.isFromOwnPage, case .secret(let secret) = SessionCookie(sessionOf: environment).find(in: request)
        else { return nil }
        return try session(secret.digest).flatMap { $0.isOfRemovedPerson ? nil : $0 }
    }

    /// Returns the caller of a session; nil if the session's token or user is no longer valid.
    func caller(_ session: Session) -> Caller? {
        guard let id = session.tokenID else {
            guard let user = session.user,
                session.method == .passkey || issuer?.hasSameBytes(as: user.issuer) == true
            else { return nil }
            return Caller(session, token: nil)
        }
        guard let token = tokens.use(id) else { return nil }
        // A session that acts as the owner ends when the token gets another owner.
        if let user = session.user, token.owner?.user != user { return nil }
        return Caller(session, token: token)
    }

    private var ended: Problem {
        Problem(
            .sessionEnded, "the session at '\(environment)' has expired, or was ended; sign in again",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")],
            members: [("environment", .string(environment.text))])
    }

    /// Returns a session, even if it ended because its person was removed; nil if it ended otherwise.
    private func session(_ digest: [UInt8]) throws(Problem) -> Session? {
        let now = now
        let (known, generation) = state.withLock { state in (Self.find(digest, &state), state.generation) }
        // An expired session is read again, because another process may have recorded a later use.
        if let known, now < known.expiresAt { return known }
        guard waits.tryEnter() else {
            throw Problem(
                .overloaded, "too many session lookups are in progress; try again", headers: [("Retry-After", "1")])
        }
        defer { waits.leave() }
        let found: Session?
        do {
            found = try pool.withConnection { connection in
                try connection.run(SessionStatements.find, .bytes(digest)).first.map { try Session($0) }
            }
        } catch {
            throw Problem(
                .databaseAway, "the session could not be read from the database; try again",
                headers: [("Retry-After", "1")])
        }
        guard let found, !found.isOfRemovedPerson else { return found }
        guard now < found.expiresAt else { return nil }
        state.withLock { state in
            // The session may have ended during the read, so it is not cached if any end was announced meanwhile.
            if state.generation == generation { Self.insert(found, &state) }
        }
        return found
    }

    private static func find(_ digest: [UInt8], _ state: inout State) -> Session? {
        if let session = state.recent[digest] { return session }
        guard let session = state.previous.removeValue(forKey: digest) else { return nil }
        insert(session, &state)
        return session
    }

    private static func insert(_ session: Session, _ state: inout State) {
        if state.recent.count >= capacity / 2 {
            state.previous = state.recent
            state.recent = [:]
        }
        state.recent[session.digest] = session
    }

    /// Records a use of the session, at most once a minute.
    private func recordUse(_ session: Session) {
        let now = now
        guard now.milliseconds - session.lastUsedAt.milliseconds >= Self.useInterval else { return }
        uses.note(session.id, at: now)
        state.withLock { $0.recent[session.digest]?.use(at: now) }
        guard session.application == .console, let user = session.user else { return }
        people.noteUse(by: user, scopes: session.scopes, source: session.tokenID == nil ? .claim : .token)
    }

    /// Applies an update of the subscription to the channel.
    public func apply(_ update: Subscription.Update) {
        switch update {
        case .notified(let notifications):
            let ended = Self.ended(in: notifications)
            if ended.contains("") { forgetAll() } else if !ended.isEmpty { forget(ended) }
        // Announcements may have been missed while there was no connection.
        case .connected: forgetAll()
        case .quiet, .disconnected: break
        }
    }

    /// Returns the ids of ended sessions among the notifications of all channels.
    public static func ended(in notifications: [AlmanacPostgreSQL.Notification]) -> Set<String> {
        Set(notifications.filter { $0.channel == channel }.map(\.payload))
    }

    /// Removes ended sessions from the cache.
    func forget(_ ids: some Sequence<String>) {
        let ids = Set(ids)
        state.withLock { state in
            state.generation += 1
            state.recent = state.recent.filter { !ids.contains($0.value.id) }
            state.previous = state.previous.filter { !ids.contains($0.value.id) }
        }
    }

    /// Removes the sessions of a user from the cache.
    func forget(of user: VerifiedUser) {
        state.withLock { state in
            state.generation += 1
            state.recent = state.recent.filter { $0.value.user != user }
            state.previous = state.previous.filter { $0.value.user != user }
        }
    }

    /// Empties the cache, because announcements may have been missed.
    private func forgetAll() {
        state.withLock { state in
            state.generation += 1
            (state.recent, state.previous) = ([:], [:])
        }
    }

    /// Returns the ids of the sessions that have not ended.
    public func present(among ids: Set<String>) throws -> Set<String> {
        if ids.isEmpty { return [] }
        return try pool.withConnection { connection in
            Set(try connection.run(SessionStatements.present, .textArray(Array(ids))).map { try $0.text("id") })
        }
    }

    /// Writes the times of the latest uses to the database.
    public func recordUses() throws {
        try uses.record { used in
            try pool.withConnection { connection in
                _ = try connection.run(
                    SessionStatements.used, .textArray(Array(used.keys)), .timestampArray(Array(used.values)))
            }
        }
    }

    /// Deletes a batch of ended sessions.
    ///
    /// - Returns: true if there may be more.
    public func removeEnded() throws -> Bool {
        // Uses are written first, so that a session in use is not deleted as idle.
        try recordUses()
        let batchSize: Int32 = 500
        return try pool.withConnection { connection in
            try connection.run(SessionStatements.removeEnded, .integer(batchSize)).single("sessions").bigint("removed")
                >= Int64(batchSize)
        }
    }
}
