public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacPOSIX
internal import AlmanacTimestamps

/// The dependencies of one environment's config endpoints.
public final class ConfigContext: Sendable {
    public let service: ConfigService
    let authenticator: Authenticator
    private let clock: ServerClock
    /// A lookup of another environment that this worker serves.
    let otherEnvironment: @Sendable (EnvironmentName) -> ConfigContext?

    public init(
        service: ConfigService, authenticator: Authenticator, clock: ServerClock = .system,
        otherEnvironment: @escaping @Sendable (EnvironmentName) -> ConfigContext?
    ) {
        self.service = service
        self.authenticator = authenticator
        self.clock = clock
        self.otherEnvironment = otherEnvironment
    }

    /// Returns the authenticated caller, or nil without credentials. Refuses an invalid token even if none is needed.
    func caller(of request: Request) throws(Problem) -> Caller? { try authenticator.caller(of: request) }

    func caller(of request: Request, with scope: Scope) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: scope)
    }

    /// Returns the caller of a write, who may change at least some keys.
    func writer(of request: Request) throws(Problem) -> Caller {
        guard let caller = try authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        _ = try caller.needsChangeableKeys()
        return caller
    }

    /// Returns the caller of an irreversible change: an administrator, in a browser only after a recent sign-in.
    func administrator(of request: Request) throws(Problem) -> Caller {
        guard let caller = try authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try checkAdministrator(caller)
        return caller
    }

    func checkAdministrator(_ caller: Caller) throws(Problem) {
        try caller.needs(.admin)
        try needsFreshSignIn(caller)
    }

    /// Refuses a session whose sign-in is too old.
    func needsFreshSignIn(_ caller: Caller) throws(Problem) {
        try caller.needsFreshSignIn(at: Timestamp(milliseconds: clock.milliseconds()))
    }

    /// Refuses a caller who may not read the config, and an invalid token even if no token is needed.
    ///
    /// - Returns: `true` if the caller may also read flag definitions, which always require the scope `config:read`.
    @discardableResult func mayRead(_ request: Request) throws(Problem) -> Bool {
        let caller = try authenticator.caller(of: request)
        if service.settings.configRead == .everyone { return caller?.has(.configRead) ?? false }
        guard let caller else { throw Authenticator.tokenNeeded }
        try caller.needs(.configRead)
        return true
    }
}

public enum ConfigRoutes {
    private typealias Claims = ConfigWorkClaims

    public static let all: [Route<ConfigContext>] =
        [
            Route("GET", "/{environment}/config", claim: Claims.read, ReadEndpoints.config),
            Route("POST", "/{environment}/config", claim: Claims.change, WriteEndpoints.create),
            Route("PATCH", "/{environment}/config", claim: Claims.change, WriteEndpoints.patch),
            Route("GET", "/{environment}/config.json", claim: Claims.read, ReadEndpoints.object),
            Route("GET", "/{environment}/flags.json", claim: Claims.read, FlagDocumentEndpoints.read),
            Route("PUT", "/{environment}/flags.json", claim: Claims.change, FlagDocumentEndpoints.replace),
            Route("POST", "/{environment}/imports/{system}", claim: Claims.past, ImportEndpoint.translate),
            Route("POST", "/{environment}/flags/{key}/disable", claim: Claims.change, FlagSwitchEndpoints.disable),
            Route("POST", "/{environment}/flags/{key}/enable", claim: Claims.change, FlagSwitchEndpoints.enable),
            Route("GET", "/{environment}/config/{key}", claim: Claims.read, ReadEndpoints.entry),
            Route("PUT", "/{environment}/config/{key}", claim: Claims.change, WriteEndpoints.put),
            Route("DELETE", "/{environment}/config/{key}", claim: Claims.change, WriteEndpoints.delete),
            Route("GET", "/{environment}/config/{key}/history", claim: Claims.past, HistoryEndpoints.key),
            Route("GET", "/{environment}/releases", claim: Claims.past, HistoryEndpoints.releases),
            Route("GET", "/{environment}/releases/{revision}", claim: Claims.past, HistoryEndpoints.release),
            Route("POST", "/{environment}/releases/{revision}/restore", claim: Claims.change, HistoryEndpoints.restore),
            Route("GET", "/{environment}/status", claim: Claims.past, StatusEndpoint.show),
            Route("GET", "/{environment}/majors", claim: Claims.past, MajorEndpoints.list),
            Route("DELETE", "/{environment}/majors/{major}", claim: Claims.change, MajorEndpoints.retire),
            Route("GET", "/{environment}/diff/{other}", claim: Claims.past, DiffEndpoint.diff),
        ] + proposals

    private static let proposals: [Route<ConfigContext>] = [
        Route("GET", "/{environment}/approvals", claim: Claims.read, ApprovalEndpoints.show),
        Route("GET", "/{environment}/calendar", claim: Claims.past, CalendarEndpoint.show),
        Route(
            "POST", "/{environment}/releases/{revision}/acknowledge", claim: Claims.change,
            ApprovalEndpoints.acknowledge),
        Route("GET", "/{environment}/proposals", claim: Claims.past, ProposalEndpoints.list),
        Route("GET", "/{environment}/proposals/{number}", claim: Claims.past, ProposalEndpoints.read),
        Route("PATCH", "/{environment}/proposals/{number}", claim: Claims.change, ProposalEndpoints.change),
        Route("POST", "/{environment}/proposals/{number}/submit", claim: Claims.change, ProposalEndpoints.submit),
        Route("POST", "/{environment}/proposals/{number}/recall", claim: Claims.change, ProposalEndpoints.recall),
        Route("POST", "/{environment}/proposals/{number}/withdraw", claim: Claims.change, ProposalEndpoints.withdraw),
        Route("POST", "/{environment}/proposals/{number}/rebase", claim: Claims.change, ProposalEndpoints.rebase),
        Route("POST", "/{environment}/proposals/{number}/apply", claim: Claims.change, ProposalEndpoints.apply),
        Route("POST", "/{environment}/proposals/{number}/reviews", claim: Claims.change, ProposalEndpoints.review),
        Route(
            "DELETE", "/{environment}/proposals/{number}/reviews/{id}", claim: Claims.change,
            ProposalEndpoints.withdrawReview),
    ]
}
