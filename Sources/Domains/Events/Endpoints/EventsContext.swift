public import AlmanacEnvironments
internal import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The parts of one environment that its events endpoint works with.
public struct EventsContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let hub: Hub
    private let authenticator: Authenticator
    private let clock: ServerClock

    public init(
        settings: EnvironmentSettings, pool: Pool, hub: Hub, authenticator: Authenticator, clock: ServerClock = .system
    ) {
        self.settings = settings
        self.pool = pool
        self.hub = hub
        self.authenticator = authenticator
        self.clock = clock
    }

    /// A token that has run out is accepted for a little while after, in milliseconds; so is a stream with it.
    private static let leeway: Int64 = 60_000

    /// Refuses a caller who may not be told how the streams are.
    func mayReadStatus(_ request: Request) throws(Problem) {
        _ = try authenticator.caller(of: request, with: .configRead)
    }

    /// The sender of a request for a stream, with what they may see; refuses those who may see nothing.
    func subscriber(of request: Request) throws(Problem) -> Subscriber {
        let isPublic = settings.configRead == .everyone
        guard let caller = try authenticator.caller(of: request) else {
            guard isPublic else { throw Authenticator.tokenNeeded }
            return Subscriber(readsConfig: true, user: nil, tokenID: nil, expiresAt: nil)
        }
        var expiresAt = caller.expiresAt?.milliseconds
        guard let user = caller.user else {
            try caller.needs(.configRead)
            return Subscriber(
                readsConfig: true, user: nil, tokenID: caller.tokenID, expiresAt: expiresAt,
                sessionID: caller.session?.id)
        }
        if caller.session == nil, let expiry = expiresAt, expiry <= clock.milliseconds() {
            expiresAt = expiry + Self.leeway
        }
        return Subscriber(
            readsConfig: isPublic || caller.scopes.contains { $0.includes(.configRead) }, user: user, tokenID: nil,
            expiresAt: expiresAt, sessionID: caller.session?.id)
    }
}
