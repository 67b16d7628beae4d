public import AlmanacHTTP

public enum FlagsRoutes {
    public static let all: [Route<FlagsContext>] = evaluation.map(\.withSlash) + evaluation + definitions

    /// The evaluation calls, which OFREP clients may send with a trailing slash.
    private static let evaluation: [Route<FlagsContext>] = [
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags", claim: FlagsWorkClaims.evaluation, EvaluationEndpoints.all
        ),
        Route(
            "POST", "/{environment}/ofrep/v1/evaluate/flags/{key}", claim: FlagsWorkClaims.evaluation,
            EvaluationEndpoints.one),
    ]

    private static let definitions: [Route<FlagsContext>] = [
        Route("GET", "/{environment}/flags", claim: FlagsWorkClaims.trial, FlagListEndpoints.list),
        Route(
            "GET", "/{environment}/flags/{key}/evaluations", claim: FlagsWorkClaims.trial, FlagListEndpoints.evaluations
        ),
        Route("POST", "/{environment}/flags/{key}/explain", claim: FlagsWorkClaims.trial, ExplainEndpoint.explain),
        Route("POST", "/{environment}/flags/{key}/sample", claim: FlagsWorkClaims.trial, SampleEndpoint.sample),
        Route(
            "GET", "/{environment}/openfeature/v0/manifest", claim: FlagsWorkClaims.trial, FlagListEndpoints.manifest),
    ]
}
