public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacPostgreSQL

/// The parts of one environment that the calls about tokens and the audit log work with.
public struct IdentityContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let tokens: TokenStore
    let authenticator: Authenticator

    public init(settings: EnvironmentSettings, pool: Pool, tokens: TokenStore, authenticator: Authenticator) {
        self.settings = settings
        self.pool = pool
        self.tokens = tokens
        self.authenticator = authenticator
    }

    /// The caller of a request, who must be an administrator.
    func administrator(of request: Request) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: .admin)
    }
}

/// Every call about tokens and the audit log.
public enum IdentityRoutes {
    public static let all: [Route<IdentityContext>] = [
        Route("GET", "/{environment}/session", SessionEndpoint.show),
        Route("GET", "/{environment}/tokens", work: past, TokenEndpoints.list),
        Route("POST", "/{environment}/tokens", work: change, TokenEndpoints.create),
        Route("DELETE", "/{environment}/tokens/{id}", work: change, TokenEndpoints.revoke),
        Route("POST", "/{environment}/tokens/{id}/rotate", work: change, TokenEndpoints.rotate),
        Route("GET", "/{environment}/audit", work: past, AuditEndpoint.list),
    ]

    private static func past(_ request: Request, _ context: IdentityContext) throws -> Claim? {
        Claim(.config, for: try context.authenticator.caller(of: request)?.key ?? "")
    }

    private static func change(_ request: Request, _ context: IdentityContext) throws -> Claim? {
        Claim(.config, for: try context.authenticator.caller(of: request)?.key ?? "", isChange: true)
    }
}
