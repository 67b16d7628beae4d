internal import AlmanacHooks
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacWebhooks

extension Proposal {
    /// Adds an event about the proposal to the outbox of hooks, in the running transaction. Events have no values.
    ///
    /// - Parameter part: The number that tells several events of one version apart.
    func tell(_ kind: HookEvent.Kind, at head: Head, part: Int? = nil, on connection: Connection) throws {
        let keys = Set(edits.map(\.key)).sorted()
        try Outbox.add(
            kind,
            id: HookEvent.id(
                kind, of: .proposal(number, version: version), lineage: head.lineage, key: part.map { "\($0)" }),
            about: keys,
            facts: JSONObject([
                ("number", .number(JSONNumber(number))), ("title", .string(title)),
                ("keys", .array(keys.map { .string($0) })),
            ]), on: connection)
    }
}

extension AuditedAction {
    /// The event of a step of a proposal; nil if receivers need not know.
    var proposalEvent: HookEvent.Kind? {
        switch self {
        case .proposalSubmit: .proposalSubmitted
        case .proposalChange, .proposalRebase: .proposalChanged
        case .proposalWithdraw: .proposalWithdrawn
        case .proposalApply: .proposalApplied
        case .proposalBypass: .proposalBypassed
        default: nil
        }
    }
}
