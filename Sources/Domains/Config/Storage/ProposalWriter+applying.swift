internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacProposals

extension ProposalWriter {
    /// The result of applying a proposal.
    struct Application {
        let proposal: Proposal
        /// The release; nil if others had released all edits.
        let outcome: ReleaseWriter.Outcome?
    }

    /// Makes the release of a proposal: all edits or none.
    ///
    /// - Parameters:
    ///   - effect: The effect that the caller saw.
    ///   - intent: The author and the message of the release. With a reason for a bypass, reviews do not count.
    func apply(_ number: Int64, effect: String, _ intent: ReleaseWriter.Intent) throws -> Application {
        try writer.pool.withConnection { connection in
            try connection.change { connection in
                let head = try writer.lock(intent, on: connection)
                let reader = ProposalReader(writer: writer, connection: connection)
                let proposal = try reader.proposal(number, locks: true)
                try reader.check(effect, of: proposal, at: head)
                guard let outlook = try reader.outlook(of: proposal, at: head), proposal.state == .open else {
                    throw ProposalRefusal.wrongState(proposal.state, step: AuditedAction.proposalApply.rawValue)
                }
                return try apply(proposal, outlook, intent, reader, at: head)
            }
        }
    }

    /// Makes the release of a locked proposal while the head is locked.
    func apply(
        _ proposal: Proposal, _ outlook: ProposalOutlook, _ intent: ReleaseWriter.Intent, _ reader: ProposalReader,
        at head: Head
    ) throws -> Application {
        guard let state = proposal.state.after(.apply) else {
            throw ProposalRefusal.wrongState(proposal.state, step: AuditedAction.proposalApply.rawValue)
        }
        if let predecessor = outlook.pendingPredecessor { throw ProposalRefusal.waits(for: predecessor) }
        if outlook.isConflicted { throw ProposalRefusal.conflicted(outlook.resolution.conflicts) }
        if let refusal = outlook.refusal { throw refusal }
        if intent.bypassReason == nil {
            if outlook.standing.isRejected { throw ProposalRefusal.rejected }
            guard outlook.standing.unmet.isEmpty else {
                throw ProposalRefusal.approvalRequired(outlook.standing.unmet)
            }
        }
        var (proposal, intent) = (proposal, intent)
        intent.proposal = proposal.number
        if intent.message.isEmpty { intent.message = proposal.title }
        try writer.check(outlook.forecast?.plan.changes.map(\.key) ?? [], intent)
        let outcome = try outlook.forecast.map { try writer.write($0.plan, intent, on: reader.connection) }
        proposal.state = state
        proposal.appliedRevision = outcome?.head.revision
        proposal.failure = nil
        try reader.connection.run(ProposalStatements.update(proposal))
        let action: AuditedAction = intent.bypassReason == nil ? .proposalApply : .proposalBypass
        try record(action, proposal.number, on: reader.connection)
        let stored = try reader.proposal(proposal.number)
        if let event = action.proposalEvent { try stored.tell(event, at: head, on: reader.connection) }
        return Application(proposal: stored, outcome: outcome)
    }
}
