public import AlmanacHTTP

/// Every call about flags.
public enum FlagsRoutes {
    public static let all: [Route<FlagsContext>] = evaluation.map(\.withSlash) + evaluation

    /// Clients of OFREP may end paths with a slash.
    private static let evaluation: [Route<FlagsContext>] = [
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags", work: FlagsClaims.evaluation, EvaluationEndpoints.all),
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags/{key}", work: FlagsClaims.evaluation,
            EvaluationEndpoints.one),
    ]
}
