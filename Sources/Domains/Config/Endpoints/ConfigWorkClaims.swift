internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacRevisions

/// The claims of config calls, for work that needs more than an answer from memory.
enum ConfigWorkClaims {
    /// Returns nil if the newest config in memory answers the request. Waits, past states and searches need a claim.
    static func read(_ request: Request, _ context: ConfigContext) throws -> WorkClaim? {
        let query = request.target.query
        let minRevision = request.headers["Almanac-Min-Revision"]
        if query.isEmpty, minRevision == nil { return nil }
        let wanted = [query["revision"], query["since"], minRevision].compactMap { $0.flatMap { Cursor($0) } }
        let head = context.service.store.current.snapshot.head
        if !wanted.allSatisfy(head.hasReached) { return WorkClaim(.revision) }
        let isFromMemory = query["at"] == nil && query["revision"] == nil && query["q"] == nil
        return isFromMemory ? nil : try past(request, context)
    }

    static func past(_ request: Request, _ context: ConfigContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.caller(of: request)?.key ?? "")
    }

    static func change(_ request: Request, _ context: ConfigContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.caller(of: request)?.key ?? "", isChange: true)
    }
}
