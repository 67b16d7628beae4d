/// The work of a request beyond an answer from memory, and the caller. A limit protects the requests of other callers.
public struct WorkClaim: Hashable, Sendable {
    public enum Kind: CaseIterable, Sendable {
        /// A wait for a revision of the config that has not arrived.
        case revision
        /// Changes of the config, reads of its past, and evaluations for large contexts.
        case config
        case notes
        /// The receipt of a piece of an attachment, and reads of bytes.
        case pieces
        /// A database lookup of a cookie's session, before an event stream.
        case session
    }

    public let kind: Kind
    /// The caller whose requests share a queue; empty for all callers without credentials.
    public let caller: String
    /// True if the work changes something. The changes of one caller run one after another, in order of arrival.
    public let isChange: Bool

    public init(_ kind: Kind, for caller: String = "", isChange: Bool = false) {
        self.kind = kind
        self.caller = caller
        self.isChange = isChange
    }
}
