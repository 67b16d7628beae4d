internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacProposals

extension ProposalRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .approvalRequired(let unmet):
            Problem(
                .approvalRequired,
                "nothing was changed: releases of \(Self.list(unmet.flatMap(\.keys))) need approvals; repeat the call "
                    + "with propose=true, and submit the proposal for review",
                members: [("unmet", .array(unmet.map(\.json)))])
        case .bypassRequired:
            Problem(
                .bypassRequired,
                "nothing was changed: in an environment with approvals this call needs bypass=true, the scope "
                    + "config:bypass, and a reason in Almanac-Message")
        case .notFound(let number):
            Problem(.proposalNotFound, "there is no proposal \(number); GET proposals lists them")
        case .predecessorNotFound(let number):
            Problem(.proposalNotFound, "'after_proposal': there is no proposal \(number); GET proposals lists them")
        case .wrongState(let state, let step):
            Problem(.proposalState, "the proposal is \(state.name), so '\(step)' is not possible")
        case .empty: Problem(.proposalEmpty, "the write changes nothing, so there is nothing to propose")
        case .tooManyKeys(let count):
            Problem(
                .proposalTooLarge,
                "the proposal would change \(count) keys; the limit is \(Proposal.maxKeys); make several proposals")
        case .tooManyEdits(let count):
            Problem(
                .proposalTooLarge,
                "the proposal would have \(count) edits; the limit is \(Proposal.maxEdits); make several proposals")
        case .tooLarge(let bytes):
            Problem(
                .proposalTooLarge,
                "the values of the proposal have \(bytes) bytes; the limit is \(Proposal.maxBytes); make several "
                    + "proposals")
        case .tooManyReviews:
            Problem(
                .proposalTooLarge,
                "the proposal has as many comments or reviews as there can be; withdraw it and make a new one")
        case .changed(let version):
            Problem(
                .preconditionFailed, "the proposal is now at version \(version); read it again, then repeat the change",
                headers: [("ETag", "\"\(version)\"")])
        case .effectChanged(let effect):
            Problem(
                .preconditionFailed,
                "the effect of the proposal is another one than If-Match names; read the proposal again",
                members: [("effect", .string(effect))])
        case .conflicted(let conflicts):
            Problem(
                .proposalConflict,
                "nothing was changed: others released other values of "
                    + "\(Self.list(conflicts.map { $0.edit.key })); rebase the proposal",
                members: [("conflicts", .array(conflicts.map(\.json)))])
        case .rejected:
            Problem(
                .proposalRejected, "nothing was changed: a reviewer rejected the proposal; change it or withdraw it")
        case .waits(let number):
            Problem(.proposalWaits, "nothing was changed: the proposal builds on proposal \(number); apply that first")
        case .noReviewer(let keys):
            Problem(
                .scopeTooSmall,
                "a review needs a person with the scope config:approve for one of the changed keys"
                    + (keys.isEmpty ? "" : ": \(Self.list(keys))"))
        case .contributor:
            Problem(
                .ownContribution,
                "you contributed a change to this proposal, or made a token that did; somebody else must approve or "
                    + "reject it")
        case .noScheduleAuthor:
            Problem(.proposalState, "the person or token that set the time may not change these keys any more")
        case .cycle(let number):
            Problem(
                .invalidValue,
                "'after_proposal': proposal \(number) waits for this one, or more than "
                    + "\(ProposalReader.maxChain) proposals wait for each other")
        case .ownRelease:
            Problem(.ownContribution, "you made this release; somebody else must acknowledge it")
        case .reviewNotFound(let id):
            Problem(.reviewNotFound, "you have no review \(id) of this proposal that is not withdrawn")
        case .invalidEdit(let key, let path, let reason):
            Problem(.invalidValue, "the edit of '\(key)' at '\(path)': \(reason)")
        case .nothingToAcknowledge(let revision):
            Problem(.proposalState, "release \(revision) is no bypass that waits for an acknowledgement")
        }
    }

    /// Lists some keys for a message.
    private static func list(_ keys: [String]) -> String {
        let keys = Set(keys).sorted()
        return keys.prefix(10).joined(separator: ", ") + (keys.count > 10 ? " and \(keys.count - 10) more" : "")
    }
}
