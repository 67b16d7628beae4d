/// The work that a request asks for beyond an answer from memory, and for whom: what a server bounds, so that nobody's
/// requests keep those of others from being answered.
public struct Claim: Hashable, Sendable {
    public enum Work: CaseIterable, Sendable {
        /// Waiting for a revision of the config that is not here yet.
        case revision
        /// Changes of the config, its past, and flags for large contexts.
        case config
        case notes
        /// Asking the database for the session of a cookie, before a stream of events.
        case session
    }

    public let work: Work
    /// Tells callers apart whose requests take turns; empty for all who don't say who they are.
    public let caller: String
    /// Whether the work changes something. A caller's changes are made one after the other, as they came.
    public let isChange: Bool

    public init(_ work: Work, for caller: String = "", isChange: Bool = false) {
        self.work = work
        self.caller = caller
        self.isChange = isChange
    }
}
