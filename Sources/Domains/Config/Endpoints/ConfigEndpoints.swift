public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity

/// The dependencies of one environment's config endpoints.
public struct ConfigContext: Sendable {
    public let service: ConfigService
    let authenticator: Authenticator
    /// Finds another environment that this worker serves.
    let neighbour: @Sendable (EnvironmentName) -> ConfigContext?

    public init(
        service: ConfigService, authenticator: Authenticator,
        neighbour: @escaping @Sendable (EnvironmentName) -> ConfigContext?
    ) {
        self.service = service
        self.authenticator = authenticator
        self.neighbour = neighbour
    }

    /// The caller of a request that needs a token with a scope.
    func caller(of request: Request, with scope: Scope) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: scope)
    }

    /// Refuses a caller who may not read the config. A token that isn't valid is refused even where none is needed.
    func mayRead(_ request: Request) throws(Problem) {
        let caller = try authenticator.caller(of: request)
        if service.settings.configRead == .everyone { return }
        guard let caller else { throw Authenticator.tokenNeeded }
        try caller.needs(.configRead)
    }
}

/// Every config call.
public enum ConfigRoutes {
    public static let all: [Route<ConfigContext>] = [
        Route("GET", "/{environment}/config", ReadEndpoints.config),
        Route("POST", "/{environment}/config", WriteEndpoints.create),
        Route("PATCH", "/{environment}/config", WriteEndpoints.patch),
        Route("GET", "/{environment}/config.json", ReadEndpoints.object),
        Route("GET", "/{environment}/config/{key}", ReadEndpoints.entry),
        Route("PUT", "/{environment}/config/{key}", WriteEndpoints.put),
        Route("DELETE", "/{environment}/config/{key}", WriteEndpoints.delete),
        Route("GET", "/{environment}/config/{key}/history", HistoryEndpoints.key),
        Route("GET", "/{environment}/releases", HistoryEndpoints.releases),
        Route("GET", "/{environment}/releases/{revision}", HistoryEndpoints.release),
        Route("POST", "/{environment}/releases/{revision}/restore", HistoryEndpoints.restore),
        Route("GET", "/{environment}/majors", MajorEndpoints.list),
        Route("DELETE", "/{environment}/majors/{major}", MajorEndpoints.retire),
        Route("GET", "/{environment}/diff/{other}", DiffEndpoint.diff),
    ]
}
