public import AlmanacHTTP

/// Every call about flags.
public enum FlagsRoutes {
    public static let all: [Route<FlagsContext>] = [
        Route("POST", "/{environment}/ofrep/v1/evaluate/flags/{key}", EvaluationEndpoints.one)
    ]
}
