public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacPOSIX
internal import AlmanacTimestamps

/// The dependencies of one environment's config endpoints.
public struct ConfigContext: Sendable {
    public let service: ConfigService
    let authenticator: Authenticator
    private let clock: ServerClock
    /// Finds another environment that this worker serves.
    let neighbour: @Sendable (EnvironmentName) -> ConfigContext?

    public init(
        service: ConfigService, authenticator: Authenticator, clock: ServerClock = .system,
        neighbour: @escaping @Sendable (EnvironmentName) -> ConfigContext?
    ) {
        self.service = service
        self.authenticator = authenticator
        self.clock = clock
        self.neighbour = neighbour
    }

    /// The caller of a request, if it says who that is. A token that isn't valid is refused even where none is needed.
    func caller(of request: Request) throws(Problem) -> Caller? { try authenticator.caller(of: request) }

    /// The caller of a request that needs a token with a scope.
    func caller(of request: Request, with scope: Scope) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: scope)
    }

    /// The caller of a request that changes entries, if only those of some keys.
    func writer(of request: Request) throws(Problem) -> Caller {
        guard let caller = try authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        _ = try caller.needsChangeableKeys()
        return caller
    }

    /// The caller of a request for what cannot be undone: an administrator, who has just signed in if in a browser.
    func administrator(of request: Request) throws(Problem) -> Caller {
        guard let caller = try authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try checkAdministrator(caller)
        return caller
    }

    func checkAdministrator(_ caller: Caller) throws(Problem) {
        try caller.needs(.admin)
        try caller.needsFreshSignIn(at: Timestamp(milliseconds: clock.milliseconds()))
    }

    /// Refuses a caller who may not read the config. A token that isn't valid is refused even where none is needed.
    ///
    /// - Returns: whether they may read the definitions of flags too, which are for nobody without the scope.
    @discardableResult func mayRead(_ request: Request) throws(Problem) -> Bool {
        let caller = try authenticator.caller(of: request)
        if service.settings.configRead == .everyone { return caller?.has(.configRead) ?? false }
        guard let caller else { throw Authenticator.tokenNeeded }
        try caller.needs(.configRead)
        return true
    }
}

/// Every config call.
public enum ConfigRoutes {
    private typealias Claims = ConfigClaims

    public static let all: [Route<ConfigContext>] = [
        Route("GET", "/{environment}/config", work: Claims.read, ReadEndpoints.config),
        Route("POST", "/{environment}/config", work: Claims.change, WriteEndpoints.create),
        Route("PATCH", "/{environment}/config", work: Claims.change, WriteEndpoints.patch),
        Route("GET", "/{environment}/config.json", work: Claims.read, ReadEndpoints.object),
        Route("GET", "/{environment}/flags.json", work: Claims.read, FlagDocumentEndpoints.read),
        Route("PUT", "/{environment}/flags.json", work: Claims.change, FlagDocumentEndpoints.replace),
        Route("POST", "/{environment}/flags/{key}/disable", work: Claims.change, FlagSwitchEndpoints.disable),
        Route("POST", "/{environment}/flags/{key}/enable", work: Claims.change, FlagSwitchEndpoints.enable),
        Route("GET", "/{environment}/config/{key}", work: Claims.read, ReadEndpoints.entry),
        Route("PUT", "/{environment}/config/{key}", work: Claims.change, WriteEndpoints.put),
        Route("DELETE", "/{environment}/config/{key}", work: Claims.change, WriteEndpoints.delete),
        Route("GET", "/{environment}/config/{key}/history", work: Claims.past, HistoryEndpoints.key),
        Route("GET", "/{environment}/releases", work: Claims.past, HistoryEndpoints.releases),
        Route("GET", "/{environment}/releases/{revision}", work: Claims.past, HistoryEndpoints.release),
        Route("POST", "/{environment}/releases/{revision}/restore", work: Claims.change, HistoryEndpoints.restore),
        Route("GET", "/{environment}/status", work: Claims.past, StatusEndpoint.show),
        Route("GET", "/{environment}/majors", work: Claims.past, MajorEndpoints.list),
        Route("DELETE", "/{environment}/majors/{major}", work: Claims.change, MajorEndpoints.retire),
        Route("GET", "/{environment}/diff/{other}", work: Claims.past, DiffEndpoint.diff),
    ]
}
