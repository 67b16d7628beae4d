internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacIdentity

/// The claims of flag calls, for work that needs more than an answer from memory.
enum FlagsWorkClaims {
    /// The size above which a context takes noticeable time for each flag, in bytes.
    private static let largeContextBytes = 16 << 10

    /// Returns the claim of a call that compiles a draft or evaluates a sample, which takes time.
    static func trial(_ request: Request, _ context: FlagsContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.evaluator(of: request)?.key ?? "")
    }

    /// Returns nil if memory answers the evaluation, which takes less time than queueing.
    static func evaluation(_ request: Request, _ context: FlagsContext) throws -> WorkClaim? {
        let announced = AnnouncedConfig(request.target.query)
        if let claim = FlagsRead.claim(request, context.config, minRevision: announced?.cursor) { return claim }
        guard let length = request.body.length, length > largeContextBytes else { return nil }
        return WorkClaim(.config, for: try context.evaluator(of: request)?.key ?? "")
    }
}
