public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The dependencies of one environment's endpoints for hooks.
public struct HooksContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    private let authenticator: Authenticator

    public init(settings: EnvironmentSettings, pool: Pool, authenticator: Authenticator) {
        self.settings = settings
        self.pool = pool
        self.authenticator = authenticator
    }

    func caller(of request: Request) throws(Problem) -> Caller? { try authenticator.caller(of: request) }

    /// Returns the caller of a request. Throws if the caller is no administrator.
    func administrator(of request: Request) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: .admin)
    }

    /// Returns the caller of a change. Throws unless the caller is an administrator with a fresh sign-in.
    func freshAdministrator(of request: Request) throws(Problem) -> Caller {
        let caller = try administrator(of: request)
        try caller.needsFreshSignIn(at: Timestamp(milliseconds: WallClock.milliseconds))
        // Values are sent only while the maker may read them, so the maker must be known.
        authenticator.recordPerson(of: caller)
        return caller
    }
}

/// The routes of hooks and their deliveries.
public enum HooksRoutes {
    public static let all: [Route<HooksContext>] = [
        Route("GET", "/{environment}/hooks", claim: past, HookEndpoints.list),
        Route("POST", "/{environment}/hooks", claim: change, HookEndpoints.create),
        Route("GET", "/{environment}/hooks/{id}", claim: past, HookEndpoints.read),
        Route("PATCH", "/{environment}/hooks/{id}", claim: change, HookEndpoints.change),
        Route("DELETE", "/{environment}/hooks/{id}", claim: change, HookEndpoints.remove),
        Route("POST", "/{environment}/hooks/{id}/enable", claim: change, HookEndpoints.enable),
        Route("POST", "/{environment}/hooks/{id}/rotate", claim: change, HookEndpoints.rotate),
        Route("POST", "/{environment}/hooks/{id}/test", claim: change, DeliveryEndpoints.test),
        Route("POST", "/{environment}/hooks/{id}/replay", claim: change, DeliveryEndpoints.replay),
        Route("GET", "/{environment}/hooks/{id}/deliveries", claim: past, DeliveryEndpoints.list),
        Route("POST", "/{environment}/hooks/{id}/deliveries/{delivery}/again", claim: change, DeliveryEndpoints.again),
    ]

    private static func past(_ request: Request, _ context: HooksContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.caller(of: request)?.key ?? "")
    }

    private static func change(_ request: Request, _ context: HooksContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.caller(of: request)?.key ?? "", isChange: true)
    }
}
