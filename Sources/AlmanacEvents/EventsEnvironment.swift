internal import Config
internal import Environments
internal import Events
internal import HTTP
internal import Identity
internal import Metrics
internal import Migrations
internal import Notes
internal import PostgreSQL
internal import Serving

/// One environment whose changes this process tells of: its database connections, its streams, and the thread that
/// hears of the changes.
final class EventsEnvironment: EnvironmentService {
    let settings: EnvironmentSettings
    let context: EventsContext
    private let pool: Pool
    private let hub: Hub
    private let health: DatabaseHealth
    private let subscription: Subscription

    /// How often the tokens are read again though nothing was heard of them.
    private static let tokenInterval = Duration.seconds(2)

    init(_ settings: EnvironmentSettings, connections: Int) throws {
        self.settings = settings
        let pool = Pool(settings.database, size: connections)
        let users = UserAuthority(settings)
        let tokens = TokenStore(environment: settings.name.text, pool: pool)
        let health = DatabaseHealth(settings.name)
        let hub: Hub
        do {
            try pool.withConnection { try Schema.check($0) }
            try tokens.refresh()
            hub = try Hub(settings.name, pool: pool) { health.note($0) }
        } catch {
            pool.close()
            throw StartFailure(settings, error)
        }
        self.pool = pool
        self.hub = hub
        self.health = health
        context = EventsContext(settings: settings, pool: pool, hub: hub, tokens: tokens) { token throws(Problem) in
            try users.verify(token)
        }
        do {
            subscription = try Subscription(
                settings.database, channels: [ConfigService.channel, NotesService.channel, TokenStore.channel],
                interval: Self.tokenInterval, threadName: "listen-\(settings.name)"
            ) { Self.pass($0, to: hub, tokens, health) }
        } catch {
            hub.close()
            pool.close()
            throw StartFailure(settings, error)
        }
    }

    var state: (revision: Int64, isStale: Bool) { (hub.revision, health.isAway) }

    func write(to exposition: inout Exposition) {
        exposition.add(pool, of: settings.name)
        exposition.add(subscription, of: settings.name)
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

    private static func pass(_ notification: PostgreSQL.Notification, to hub: Hub) {
        // The revision, behind the account's id where there is one.
        let numbers = notification.payload.split(separator: " ").map { Int64($0) }
        switch (notification.channel, numbers.count) {
        case (ConfigService.channel, 1): if let revision = numbers[0] { hub.announce(revision: revision) }
        case (NotesService.channel, 2):
            if let account = numbers[0], let revision = numbers[1] { hub.announce(account: account, revision: revision) }
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
