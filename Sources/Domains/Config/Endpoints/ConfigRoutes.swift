public import AlmanacHTTP

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
