public import AlmanacHTTP

public enum FlagsRoutes {
    public static let all: [Route<FlagsContext>] = evaluation.map(\.withSlash) + evaluation + definitions

    /// The evaluation calls, which OFREP clients may send with a trailing slash.
    private static let evaluation: [Route<FlagsContext>] = [
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags", work: FlagsClaims.evaluation, EvaluationEndpoints.all),
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags/{key}", work: FlagsClaims.evaluation,
            EvaluationEndpoints.one),
    ]

    private static let definitions: [Route<FlagsContext>] = [
        Route("GET", "/{environment}/flags", work: FlagsClaims.trial, FlagListEndpoints.list),
        Route("POST", "/{environment}/flags/{key}/explain", work: FlagsClaims.trial, ExplainEndpoint.explain),
        Route("POST", "/{environment}/flags/{key}/sample", work: FlagsClaims.trial, SampleEndpoint.sample),
        Route("GET", "/{environment}/openfeature/v0/manifest", work: FlagsClaims.trial, FlagListEndpoints.manifest),
    ]
}
