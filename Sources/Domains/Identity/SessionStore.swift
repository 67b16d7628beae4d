public import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacOpenIDConnect
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// One environment's sessions as a process knows them: each is read when it is first presented, and kept until the
/// database says that it has ended, so that a check costs no database call.
public final class SessionStore: Sendable {
    /// The channel on which the end of a session is announced, by its id.
    public static let channel = "almanac_sessions"

    let environment: EnvironmentName
    /// Whose users may have sessions; nil where there are none.
    let issuer: String?
    let pool: Pool
    private let tokens: TokenStore
    private let waits: WaitLimit
    private let clock: ServerClock

    /// Invariant: `recent` and `older` together hold at most `capacity` sessions, each as it was read after the last
    /// announcement of its end that came before the reading ended, with the uses seen here.
    private struct State {
        var recent: [[UInt8]: Session] = [:]
        /// Those of `recent` when it was last full: those presented again move back, the others are forgotten.
        var older: [[UInt8]: Session] = [:]
        /// Grows with every announcement.
        var generation = 0
    }
    private let state = Mutex(State())
    private let uses = LastUses<String, Timestamp>()

    private static let capacity = 20_000
    /// Uses closer together than this are one, in milliseconds.
    private static let useInterval: Int64 = 60_000

    /// - Parameters:
    ///   - tokens: of the same environment; a session that was made of one ends with it.
    ///   - waits: bounds how many threads look for unknown sessions at the same time.
    public init(
        _ settings: EnvironmentSettings, pool: Pool, tokens: TokenStore, waits: WaitLimit = WaitLimit(8),
        clock: ServerClock = .system
    ) {
        environment = settings.name
        issuer =
            switch settings.identity {
            case nil: nil
            case .provider(let issuer, _, _): issuer.text
            case .development: DevelopmentIssuer.name(environment: settings.name.text)
            }
        self.pool = pool
        self.tokens = tokens
        self.waits = waits
        self.clock = clock
    }

    /// The time by which sessions end.
    var now: Timestamp { Timestamp(milliseconds: clock.milliseconds()) }

    /// Whoever is signed in where a request comes from; nil where no cookie counts. A cookie that counts and names no
    /// session is refused.
    func caller(of request: Request) throws(Problem) -> Caller? {
        guard request.takesCookies, let application = request.application else { return nil }
        switch SessionCookie(sessionOf: environment).find(in: request) {
        case .nothing: return nil
        case .unusable: throw ended
        case .secret(let secret):
            guard let session = try session(secret.digest), session.application == application,
                let caller = caller(session)
            else { throw ended }
            try check(request, isFrom: caller)
            note(session)
            return caller
        }
    }

    /// Refuses a request of a page that says whose it is, where somebody else has signed in since it was opened: all
    /// pages of a browser have the same cookie.
    private func check(_ request: Request, isFrom caller: Caller) throws(Problem) {
        guard let name = request.headers["Almanac-User"] else { return }
        guard let subject = String(percentEncoded: name) else {
            throw Problem(.invalidHeader, "Almanac-User must be the subject of the user, percent-encoded")
        }
        guard caller.user?.subject.hasSameBytes(as: subject) != true else { return }
        throw Problem(
            .sessionOfAnotherUser, "somebody else has signed in at '\(environment)' since this page was opened",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    /// Whether the database need not be asked for the session of a request.
    func knows(_ request: Request) -> Bool {
        guard request.takesCookies, case .secret(let secret) = SessionCookie(sessionOf: environment).find(in: request)
        else { return true }
        return state.withLock { Self.find(secret.digest, &$0) }.map { now < $0.expiresAt } ?? false
    }

    /// The session whose cookie a request carries, good or not; nil when it has ended.
    func presented(by request: Request) throws(Problem) -> Session? {
        guard request.isFromOwnPage, case .secret(let secret) = SessionCookie(sessionOf: environment).find(in: request)
        else { return nil }
        return try session(secret.digest)
    }

    /// Whoever a session is of; nil when what it was made of is not good any more.
    func caller(_ session: Session) -> Caller? {
        guard let id = session.tokenID else {
            guard let user = session.user, let issuer, user.issuer.hasSameBytes(as: issuer) else { return nil }
            return Caller(session, token: nil)
        }
        return tokens.use(id).map { Caller(session, token: $0) }
    }

    private var ended: Problem {
        Problem(
            .sessionEnded, "the session at '\(environment)' has ended, or was ended: sign in again",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")],
            members: [("environment", .string(environment.text))])
    }

    private func session(_ digest: [UInt8]) throws(Problem) -> Session? {
        let now = now
        let (known, generation) = state.withLock { state in (Self.find(digest, &state), state.generation) }
        // Another process may have seen it used.
        if let known, now < known.expiresAt { return known }
        guard waits.enter() else {
            throw Problem(
                .overloaded, "too many sessions are being looked up right now; try again",
                headers: [("Retry-After", "1")])
        }
        defer { waits.leave() }
        let found: Session?
        do {
            found = try pool.withConnection { connection in
                try connection.run(SessionStatements.find, .bytes(digest)).first.map { try Session($0) }
            }
        } catch {
            throw Problem(
                .databaseAway, "the database cannot be asked for the session right now; try again",
                headers: [("Retry-After", "1")])
        }
        guard let found, now < found.expiresAt else { return nil }
        state.withLock { state in
            // What ended while it was being read must not be kept.
            if state.generation == generation { Self.insert(found, &state) }
        }
        return found
    }

    private static func find(_ digest: [UInt8], _ state: inout State) -> Session? {
        if let session = state.recent[digest] { return session }
        guard let session = state.older.removeValue(forKey: digest) else { return nil }
        insert(session, &state)
        return session
    }

    private static func insert(_ session: Session, _ state: inout State) {
        if state.recent.count >= capacity / 2 {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[session.digest] = session
    }

    /// Notes that a session is used, now and then.
    private func note(_ session: Session) {
        let now = now
        guard now.milliseconds - session.lastUsedAt.milliseconds >= Self.useInterval else { return }
        uses.note(session.id, at: now)
        state.withLock { $0.recent[session.digest]?.use(at: now) }
    }

    /// Takes in what a subscription to the channel says.
    public func take(_ update: Subscription.Update) {
        switch update {
        case .notified(let notifications):
            let ended = Self.ended(in: notifications)
            // An empty name stands for all of them.
            if ended.contains("") { forgetAll() } else if !ended.isEmpty { forget(ended) }
        // Announcements were missed while there was no connection.
        case .connected: forgetAll()
        case .quiet, .disconnected: break
        }
    }

    /// The ids of the sessions that have ended, by what was announced on all channels.
    public static func ended(in notifications: [AlmanacPostgreSQL.Notification]) -> Set<String> {
        Set(notifications.filter { $0.channel == channel }.map(\.payload))
    }

    /// Forgets sessions that have ended.
    func forget(_ ids: some Sequence<String>) {
        let ids = Set(ids)
        state.withLock { state in
            state.generation += 1
            state.recent = state.recent.filter { !ids.contains($0.value.id) }
            state.older = state.older.filter { !ids.contains($0.value.id) }
        }
    }

    /// Forgets all, since announcements may have been missed.
    private func forgetAll() {
        state.withLock { state in
            state.generation += 1
            (state.recent, state.older) = ([:], [:])
        }
    }

    /// Those of some sessions that have not ended.
    public func present(among ids: Set<String>) throws -> Set<String> {
        if ids.isEmpty { return [] }
        return try pool.withConnection { connection in
            Set(try connection.run(SessionStatements.present, .textArray(Array(ids))).map { try $0.text("id") })
        }
    }

    /// Writes down when sessions were last used.
    public func recordUses() throws {
        try uses.record { used in
            try pool.withConnection { connection in
                _ = try connection.run(
                    SessionStatements.used, .textArray(Array(used.keys)), .timestampArray(Array(used.values)))
            }
        }
    }

    /// Removes some of what is over.
    ///
    /// - Returns: whether there may be more.
    public func removeEnded() throws -> Bool {
        // What is used must not be taken for unused where there was no time to write that down.
        try recordUses()
        let most: Int32 = 500
        return try pool.withConnection { connection in
            try connection.run(SessionStatements.removeEnded, .integer(most)).single("sessions").bigint("removed")
                >= Int64(most)
        }
    }
}
