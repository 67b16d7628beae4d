public import AlmanacEnvironments
internal import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The dependencies of one environment's events endpoints.
public struct EventsContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let hub: Hub
    private let authenticator: Authenticator
    private let tickets: EventTickets
    private let clock: ServerClock

    public init(
        settings: EnvironmentSettings, pool: Pool, hub: Hub, authenticator: Authenticator, tickets: EventTickets,
        clock: ServerClock = .system
    ) {
        self.settings = settings
        self.pool = pool
        self.hub = hub
        self.authenticator = authenticator
        self.tickets = tickets
        self.clock = clock
    }

    /// The time for which an expired token and its stream are still accepted, in milliseconds.
    private static let expiryLeewayMilliseconds: Int64 = 60_000

    /// Returns a claim if the session is not in memory, as after a restart, when all streams reconnect at once.
    func claim(of request: Request) -> WorkClaim? {
        authenticator.knowsSession(of: request) ? nil : WorkClaim(.session)
    }

    /// Refuses a caller who may not read the status of the streams.
    func mayReadStatus(_ request: Request) throws(Problem) {
        _ = try authenticator.caller(of: request, with: .configRead)
    }

    /// Returns the subscriber of a stream request; refuses a caller who may see nothing.
    func subscriber(of request: Request) throws(Problem) -> Subscriber {
        let isPublic = settings.configRead == .everyone
        if let ticket = request.target.query["ticket"] { return try subscriber(with: ticket) }
        let isOfFlags = try request.target.query.boolean("ofrep")
        guard let caller = try authenticator.caller(of: request) else {
            guard isPublic else { throw Authenticator.tokenNeeded }
            return Subscriber(
                readsConfig: true, seesFlags: false, followsFlags: isOfFlags, user: nil, tokenID: nil, expiresAt: nil)
        }
        var expiresAt = caller.expiresAt?.milliseconds
        guard let user = caller.user, !isOfFlags else {
            if !isOfFlags || !isPublic { try caller.needs(isOfFlags ? .flagsEvaluate : .configRead) }
            return Subscriber(
                readsConfig: true, seesFlags: caller.has(.configRead), followsFlags: isOfFlags, user: nil,
                tokenID: caller.tokenID, expiresAt: expiresAt, sessionID: caller.session?.id,
                personDigest: caller.signedInUser?.digest)
        }
        if caller.session == nil, let expiry = expiresAt, expiry <= clock.milliseconds() {
            expiresAt = expiry + Self.expiryLeewayMilliseconds
        }
        return Subscriber(
            readsConfig: isPublic || caller.has(.configRead), seesFlags: caller.has(.configRead), user: user,
            tokenID: nil, expiresAt: expiresAt, sessionID: caller.session?.id, personDigest: user.digest)
    }

    /// Returns the subscriber of a ticket, which stands for a token and opens a stream about flags only.
    private func subscriber(with ticket: String) throws(Problem) -> Subscriber {
        let ticket = try tickets.ticket(ticket, lineage: hub.head?.lineage ?? "")
        if let id = ticket.tokenID, !authenticator.isValid(tokenID: id) {
            throw Problem(
                .tokenRefused, "the token of the ticket has expired or has been revoked",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
        }
        if let digest = ticket.personDigest { try authenticator.checkPresence(ofDigest: digest) }
        return Subscriber(
            readsConfig: true, seesFlags: false, followsFlags: true, user: nil, tokenID: ticket.tokenID,
            expiresAt: ticket.expiresAt, personDigest: ticket.personDigest)
    }
}
