internal import AlmanacProposals

/// The state of a proposal that is computed when it is read, so that nothing can drift.
struct ProposalOutlook {
    let resolution: EditResolution
    /// The release that the proposal would make now; nil if it can make none.
    let forecast: Forecast?
    /// The fault that prevents the release; nil if there is none.
    let refusal: ConfigRefusal?
    /// The digest that approvals are about.
    let effect: String
    /// The part of the version that the release would raise.
    let part: VersionPart
    let standing: ReviewStanding
    /// The pending proposal whose result this one builds on.
    let pendingPredecessor: Int64?

    var isConflicted: Bool { !resolution.conflicts.isEmpty }

    /// True if the release is not possible, whatever the approvals are.
    var isBlocked: Bool { standing.isRejected || refusal != nil || pendingPredecessor != nil }

    /// The keys that the release would change.
    static func keys(_ resolution: EditResolution, _ forecast: Forecast?) -> [String] {
        forecast?.plan.changes.map(\.key)
            ?? Set((resolution.applied + resolution.conflicts.map(\.edit)).map(\.key)).sorted()
    }
}
