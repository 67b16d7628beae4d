internal import AlmanacProposals

/// A refused request about a proposal, or a refused release that needs one.
enum ProposalRefusal: Error {
    /// The environment needs approvals for releases, and these keys lack some.
    case approvalRequired([ReviewStanding.Unmet])
    /// A purge or a retirement in an environment with approvals has no reason to go around them.
    case bypassRequired
    case notFound(Int64)
    case predecessorNotFound(Int64)
    /// The state of the proposal does not permit the step.
    case wrongState(ProposalState, step: String)
    /// The write that was to be proposed changes nothing.
    case empty
    case tooManyKeys(Int)
    case tooManyEdits(Int)
    case tooLarge(bytes: Int)
    case tooManyReviews
    /// The proposal is not the version that the caller saw.
    case changed(version: Int64)
    /// The effect of the proposal is not the one that the caller saw.
    case effectChanged(String)
    /// Others released other values for these parts.
    case conflicted([EditResolution.Conflict])
    case rejected
    /// The proposal that this one builds on is not applied yet.
    case waits(for: Int64)
    /// The caller may not approve any of the keys.
    case noReviewer([String])
    /// The author of the release at the time of the proposal may not change all of the keys any more.
    case noScheduleAuthor
    /// The proposal and those that come before would wait for each other, or the chain is too long.
    case cycle(Int64)
    /// The caller contributed an edit, or made a token that did.
    case contributor
    /// The caller made the release that is to be acknowledged.
    case ownRelease
    case reviewNotFound(Int64)
    /// An edit names a part that the entry cannot have.
    case invalidEdit(key: String, path: String, String)
    /// The release is no bypass, or is acknowledged already.
    case nothingToAcknowledge(Int64)
}
