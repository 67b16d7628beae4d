public import AlmanacConfigDomain
internal import AlmanacEnvironments
internal import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacPOSIX

/// The dependencies of one environment's flag endpoints.
public final class FlagsContext: Sendable {
    let config: ConfigContext
    let authenticator: Authenticator
    let tickets: EventTickets
    let uses: FlagUses
    private let clock: ServerClock

    public init(
        config: ConfigContext, authenticator: Authenticator, tickets: EventTickets, uses: FlagUses,
        clock: ServerClock = .system
    ) {
        self.config = config
        self.authenticator = authenticator
        self.tickets = tickets
        self.uses = uses
        self.clock = clock
    }

    /// The time for evaluations, in seconds since 1970.
    var seconds: Int64 { milliseconds / 1000 }

    /// The time in milliseconds since 1970.
    var milliseconds: Int64 { clock.milliseconds() }

    /// Returns the caller of an evaluation, or nil if anonymous. OFREP clients may send a token as `X-API-Key`.
    func evaluator(of request: Request) throws(Problem) -> Caller? {
        let authorization = request.headers["Authorization"] ?? request.headers["X-API-Key"].map { "Bearer " + $0 }
        if let authorization { return try authenticator.caller(authorization: authorization) }
        return try authenticator.sessionCaller(of: request)
    }

    /// Returns true if a caller may evaluate all flags, and false for public flags; refuses any other caller.
    func mayEvaluateAll(_ caller: Caller?) throws(Problem) -> Bool {
        if let caller, caller.has(.flagsEvaluate) { return true }
        if isPublic { return false }
        guard let caller else { throw Authenticator.tokenNeeded }
        try caller.needs(.flagsEvaluate)
        return true
    }

    func mayReadDefinitions(_ request: Request) throws(Problem) {
        _ = try authenticator.caller(of: request, with: .configRead)
    }

    /// True if everybody may read the config.
    var isPublic: Bool { config.service.settings.configRead == .everyone }
}
