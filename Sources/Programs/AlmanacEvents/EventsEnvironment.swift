internal import AlmanacConfigDomain
internal import AlmanacEnvironments
internal import AlmanacEventsDomain
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacMetrics
internal import AlmanacNotesDomain
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacServing
internal import Synchronization

/// An environment in an events process: its database connections, its streams, and the notification thread.
final class EventsEnvironment: EnvironmentService {
    let settings: EnvironmentSettings
    let context: EventsContext
    private let pool: Pool
    private let hub: Hub
    private let health: DatabaseHealth
    private let schema: SchemaWatch
    private let subscription: Subscription

    /// The interval at which tokens are read again without a notification.
    private static let tokenInterval = Duration.seconds(2)

    /// - Parameters:
    ///   - keyWaits: limits the threads that wait for keys of identity providers.
    ///   - sessionWaits: limits the threads that look up sessions. A request from the queue never exceeds the limit.
    init(_ settings: EnvironmentSettings, connections: Int, keyWaits: WaitLimit, sessionWaits: WaitLimit) throws {
        self.settings = settings
        let database = settings.database.limitingStatements(to: ServerSettings.statementTimeout)
        let pool = Pool(database, size: connections)
        let tokens = TokenStore(environment: settings.name.text, pool: pool)
        let people = PeopleStore(settings, pool: pool)
        let sessions = SessionStore(settings, pool: pool, tokens: tokens, people: people, waits: sessionWaits)
        let tickets = EventTickets(settings.name, pool: pool)
        let health = DatabaseHealth(settings.name)
        let hub: Hub
        do {
            schema = try SchemaWatch(settings.name, pool: pool)
            try tokens.refresh()
            try people.refresh()
            try tickets.refresh()
            hub = try Hub(settings.name, pool: pool) { health.record($0) }
        } catch {
            pool.close()
            throw StartFailure(settings, error)
        }
        self.pool = pool
        self.hub = hub
        self.health = health
        let authenticator = Authenticator(settings, tokens: tokens, sessions: sessions, waits: keyWaits) { failure in
            Log.error("identity provider", ("environment", settings.name.text), ("reason", "\(failure)"))
        }
        context = EventsContext(
            settings: settings, pool: pool, hub: hub, authenticator: authenticator, tickets: tickets)
        do {
            subscription = try Subscription(
                database,
                channels: [
                    ConfigService.channel, ConfigService.proposalsChannel, NotesService.channel, TokenStore.channel,
                    PeopleStore.channel, SessionStore.channel,
                ],
                interval: Self.tokenInterval, threadName: "listen-\(settings.name)"
            ) { [schema] event in
                Self.handle(event, to: hub, tokens, sessions, tickets, health)
                if case .disconnected = event { return }
                schema.check()
            }
        } catch {
            hub.close()
            pool.close()
            throw StartFailure(settings, error)
        }
    }

    var state: (revision: Int64, isStale: Bool) { (hub.revision, health.isUnreachable) }

    var schemaFailure: String? { schema.failure }

    func write(to exposition: inout Exposition) {
        exposition.add(pool, of: settings.name)
        exposition.add(subscription, of: settings.name)
        hub.write(to: &exposition)
    }

    func close() {
        subscription.stop()
        hub.close()
        pool.close()
    }

    private static func handle(
        _ event: Subscription.Update, to hub: Hub, _ tokens: TokenStore, _ sessions: SessionStore,
        _ tickets: EventTickets, _ health: DatabaseHealth
    ) {
        sessions.apply(event)
        switch event {
        case .notified(let notifications):
            for notification in notifications { handle(notification, to: hub) }
            // A removal comes before the ends of its sessions, so that the streams end with the right reason.
            if sessions.people.isStale || notifications.contains(where: { $0.channel == PeopleStore.channel }) {
                recheck(hub, sessions.people, health)
            }
            let ended = SessionStore.ended(in: notifications)
            hub.close(sessions: ended.contains("") ? hub.sessions : ended)
            if tokens.isStale || notifications.contains(where: { $0.channel == TokenStore.channel }) {
                recheck(hub, tokens, sessions, tickets, health)
            }
        case .connected:
            hub.check()
            recheck(hub, sessions.people, health)
            recheck(hub, tokens, sessions, tickets, health)
            recheck(hub, sessions, health)
        case .quiet:
            recheck(hub, sessions.people, health)
            recheck(hub, tokens, sessions, tickets, health)
        case .disconnected(let failure): health.record(failure)
        }
    }

    private static func handle(_ notification: AlmanacPostgreSQL.Notification, to hub: Hub) {
        // The payload is a revision, after an account's id on the notes channel, and a proposal's number on its own.
        let numbers = notification.payload.split(separator: " ").map { Int64($0) }
        switch (notification.channel, numbers.count) {
        case (ConfigService.channel, 1): if let revision = numbers[0] { hub.announce(revision: revision) }
        case (ConfigService.proposalsChannel, 2): if let proposal = numbers[0] { hub.announce(proposal: proposal) }
        case (NotesService.channel, 2):
            if let account = numbers[0], let revision = numbers[1] {
                hub.announce(account: account, revision: revision)
            }
        default: break
        }
    }

    /// Closes the streams of sessions that ended while notifications were missed.
    private static func recheck(_ hub: Hub, _ sessions: SessionStore, _ health: DatabaseHealth) {
        let open = hub.sessions
        do { hub.close(sessions: open.subtracting(try sessions.present(among: open))) } catch { health.record(error) }
    }

    /// Closes the streams of people who were removed.
    private static func recheck(_ hub: Hub, _ people: PeopleStore, _ health: DatabaseHealth) {
        do {
            try people.refresh()
            hub.close(people: people.removedDigests)
            try people.recordUses()
        } catch {
            health.record(error)
        }
    }

    private static func recheck(
        _ hub: Hub, _ tokens: TokenStore, _ sessions: SessionStore, _ tickets: EventTickets, _ health: DatabaseHealth
    ) {
        do {
            try tokens.refresh()
            hub.recheckTokens(tokens.isValid)
            try tickets.refresh()
            try tokens.recordUses()
            try sessions.recordUses()
        } catch {
            health.record(error)
        }
    }
}

/// The reachability of an environment's database, logged when it changes.
final class DatabaseHealth: Sendable {
    private let environment: String
    private let unreachable = Mutex(false)

    init(_ environment: EnvironmentName) { self.environment = environment.text }

    var isUnreachable: Bool { unreachable.withLock { $0 } }

    /// - Parameter failure: nil if the database has just answered.
    func record(_ failure: (any Error)?) {
        let hasChanged = unreachable.withLock { unreachable in
            defer { unreachable = failure != nil }
            return unreachable != (failure != nil)
        }
        guard hasChanged else { return }
        if let failure {
            Log.error("database unreachable", ("environment", environment), ("reason", "\(failure)"))
        } else {
            Log.info("database reachable again", ("environment", environment))
        }
    }
}
