public import AlmanacHTTP
internal import AlmanacIdentity

/// Every call about flags.
public enum FlagsRoutes {
    public static let all: [Route<FlagsContext>] = evaluation

    private static let bulk = "/{environment}/ofrep/v1/evaluate/flags"

    /// Clients of OFREP may end paths with a slash.
    private static let evaluation: [Route<FlagsContext>] = [
        Route("POST", bulk, work: FlagsClaims.evaluation, EvaluationEndpoints.all),
        Route("POST", bulk + "/", work: FlagsClaims.evaluation, EvaluationEndpoints.all),
        Route("POST", bulk + "/{key}", work: FlagsClaims.evaluation, EvaluationEndpoints.one),
        Route("POST", bulk + "/{key}/", work: FlagsClaims.evaluation, EvaluationEndpoints.one),
    ]
}
