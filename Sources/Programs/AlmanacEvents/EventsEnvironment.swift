internal import AlmanacConfigDomain
internal import AlmanacEnvironments
internal import AlmanacEventsDomain
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacMetrics
internal import AlmanacNotesDomain
internal import AlmanacPostgreSQL
internal import AlmanacServing

/// One environment whose changes this process tells of: its database connections, its streams, and the thread that
/// hears of the changes.
final class EventsEnvironment: EnvironmentService {
    let settings: EnvironmentSettings
    let context: EventsContext
    private let pool: Pool
    private let hub: Hub
    private let health: DatabaseHealth
    private let schema: SchemaWatch
    private let subscription: Subscription

    /// How often the tokens are read again though nothing was heard of them.
    private static let tokenInterval = Duration.seconds(2)

    init(_ settings: EnvironmentSettings, connections: Int) throws {
        self.settings = settings
        let pool = Pool(settings.database, size: connections)
        let tokens = TokenStore(environment: settings.name.text, pool: pool)
        let health = DatabaseHealth(settings.name)
        let hub: Hub
        do {
            schema = try SchemaWatch(settings.name, pool: pool)
            try tokens.refresh()
            hub = try Hub(settings.name, pool: pool) { health.note($0) }
        } catch {
            pool.close()
            throw StartFailure(settings, error)
        }
        self.pool = pool
        self.hub = hub
        self.health = health
        let authenticator = Authenticator(settings, tokens: tokens) { failure in
            Log.error("identity provider", ("environment", settings.name.text), ("reason", "\(failure)"))
        }
        context = EventsContext(settings: settings, pool: pool, hub: hub, authenticator: authenticator)
        do {
            subscription = try Subscription(
                settings.database, channels: [ConfigService.channel, NotesService.channel, TokenStore.channel],
                interval: Self.tokenInterval, threadName: "listen-\(settings.name)"
            ) { [schema] happening in
                Self.pass(happening, to: hub, tokens, health)
                if case .disconnected = happening { return }
                schema.look()
            }
        } catch {
            hub.close()
            pool.close()
            throw StartFailure(settings, error)
        }
    }

    var state: (revision: Int64, isStale: Bool) { (hub.revision, health.isAway) }

    var trouble: String? { schema.reason }

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

    private static func pass(
        _ happening: Subscription.Happening, to hub: Hub, _ tokens: TokenStore, _ health: DatabaseHealth
    ) {
        switch happening {
        case .notified(let notifications):
            for notification in notifications { pass(notification, to: hub) }
            if notifications.contains(where: { $0.channel == TokenStore.channel }) { recheck(hub, tokens, health) }
        case .connected:
            hub.check()
            recheck(hub, tokens, health)
        case .quiet:
            recheck(hub, tokens, health)
        case .disconnected(let failure):
            health.note(failure)
        }
    }

    private static func pass(_ notification: AlmanacPostgreSQL.Notification, to hub: Hub) {
        // The revision, behind the account's id where there is one.
        let numbers = notification.payload.split(separator: " ").map { Int64($0) }
        switch (notification.channel, numbers.count) {
        case (ConfigService.channel, 1): if let revision = numbers[0] { hub.announce(revision: revision) }
        case (NotesService.channel, 2):
            if let account = numbers[0], let revision = numbers[1] {
                hub.announce(account: account, revision: revision)
            }
        default: break
        }
    }

    private static func recheck(_ hub: Hub, _ tokens: TokenStore, _ health: DatabaseHealth) {
        do {
            try tokens.refresh()
            hub.recheckTokens(tokens.isValid)
            try tokens.recordUses()
        } catch {
            health.note(error)
        }
    }
}
