internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacIdentity

/// What the calls about flags ask of a server beyond its memory.
enum FlagsClaims {
    /// A context of more bytes takes time to look at, once for each flag.
    private static let large = 16 << 10

    /// Compiling a draft, or going through a sample, takes time.
    static func trial(_ request: Request, _ context: FlagsContext) throws -> Claim? {
        Claim(.config, for: try context.evaluator(of: request)?.key ?? "")
    }

    /// Flags are evaluated in memory, which takes less time than to queue for it.
    static func evaluation(_ request: Request, _ context: FlagsContext) throws -> Claim? {
        let announced = AnnouncedConfig(request.target.query)
        if let claim = FlagsRead.claim(request, context.config, least: announced?.cursor) { return claim }
        guard let length = request.body.length, length > large else { return nil }
        return Claim(.config, for: try context.evaluator(of: request)?.key ?? "")
    }
}
