internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps
internal import AlmanacWebhooks

/// The releases of proposals whose time has come.
struct ProposalSchedule {
    let writer: ReleaseWriter

    /// The limits of a schedule in an environment without approvals.
    static let defaultPolicy = ApprovalPolicy(required: 1)

    /// The work of one pass.
    struct Pass {
        /// The proposals that were applied, refused or closed.
        var changed: [Proposal] = []
        /// The head after the last release; nil if there was none.
        var head: Head?
        /// The newest revision.
        var revision: Int64 = 0
        /// The number of releases by a bypass that nobody acknowledged.
        var unreviewed: Int64 = 0
        /// The errors of proposals that were neither applied nor refused, by number.
        var errors: [(number: Int64, error: any Error)] = []
    }

    /// Applies the due proposals, and closes the expired ones. A proposal that cannot be applied loses its time, keeps
    /// its reviews and tells why. An error with one proposal does not delay the others.
    ///
    /// Several workers may do this at once: each proposal is read again while the head is locked.
    func applyDue() throws -> Pass {
        let (due, unreviewed, revision) = try writer.pool.withConnection { connection in
            let row = try connection.run(ProposalStatements.due(expiryDays: writer.policy?.expiryDays))
                .single("proposals")
            return (
                try row.optionalBigintArray("numbers") ?? [], try row.bigint("unreviewed"), try row.bigint("revision")
            )
        }
        var pass = Pass(revision: revision, unreviewed: unreviewed)
        for number in due {
            do {
                guard let result = try apply(number) else { continue }
                pass.changed.append(result.proposal)
                pass.head = result.outcome?.head ?? pass.head
            } catch { pass.errors.append((number, error)) }
        }
        return pass
    }

    /// Tells hooks of the open proposals that releases after a revision have put in conflict, once for each version of
    /// a proposal. Returns these proposals.
    func tellConflicts(after revision: Int64) throws -> [Proposal] {
        try writer.pool.withConnection { connection in
            let numbers = try connection.run(ProposalStatements.touched(after: revision)).map {
                try $0.bigint("number")
            }
            return try numbers.compactMap { number in
                try connection.change { connection in
                    let head = try Head(try connection.run(Call(HeadStatements.read)).single("config_head"))
                    let reader = ProposalReader(writer: writer, connection: connection)
                    let proposal = try reader.proposal(number)
                    guard proposal.state == .open,
                        let outlook = try reader.outlook(of: proposal, at: head, forecasts: false),
                        !outlook.resolution.conflicts.isEmpty
                    else { return nil }
                    try proposal.tell(.proposalConflicted, at: head, on: connection)
                    return proposal
                }
            }
        }
    }

    /// Applies or closes a proposal; nil if there is nothing to do any more.
    private func apply(_ number: Int64) throws -> ProposalWriter.Application? {
        try writer.pool.withConnection { connection in
            try connection.change { connection in
                let head = try HeadStatements.lockHead(on: connection)
                let reader = ProposalReader(writer: writer, connection: connection)
                let proposal = try reader.proposal(number, locks: true)
                guard proposal.state == .open else { return nil }
                let time = try connection.run(
                    ProposalStatements.time(of: number, expiryDays: writer.policy?.expiryDays)
                ).single("proposals")
                if try time.boolean("is_expired") { return try close(proposal, reader) }
                return try apply(proposal, at: try time.timestamp("now"), head, reader)
            }
        }
    }

    private func apply(
        _ proposal: Proposal, at now: Timestamp, _ head: Head, _ reader: ProposalReader
    ) throws -> ProposalWriter.Application? {
        guard let schedule = proposal.schedule, schedule.at <= now else { return nil }
        let late = Int64((writer.policy ?? Self.defaultPolicy).lateMinutes) * 60
        if schedule.at.advanced(bySeconds: late) < now {
            return try takeOff(proposal, .missed(at: now), reader, head)
        }
        do {
            guard let keys = try reader.keys(of: schedule.author) else { throw ProposalRefusal.noScheduleAuthor }
            guard proposal.edits.allSatisfy({ keys.includes($0.key) }) else { throw ProposalRefusal.noScheduleAuthor }
            let intent = ReleaseWriter.Intent(
                author: schedule.author.author, keys: keys, message: proposal.title, precondition: .none)
            let proposals = ProposalWriter(
                writer: writer, author: schedule.author.author, person: schedule.author.person, keys: keys)
            guard let outlook = try reader.outlook(of: proposal, at: head) else { return nil }
            return try proposals.apply(proposal, outlook, intent, reader, at: head)
        } catch let refusal as ProposalRefusal {
            return try takeOff(proposal, .refused(refusal), reader, head)
        } catch let refusal as ConfigRefusal {
            return try takeOff(proposal, .invalid(refusal), reader, head)
        }
    }

    private func close(_ proposal: Proposal, _ reader: ProposalReader) throws -> ProposalWriter.Application? {
        guard let state = proposal.state.after(.close(.expired)) else { return nil }
        var proposal = proposal
        proposal.state = state
        return try store(proposal, .proposalExpire, reader)
    }

    /// Removes the time of a proposal. The round and the effect stay.
    private func takeOff(
        _ proposal: Proposal, _ failure: ProposalFailure, _ reader: ProposalReader, _ head: Head
    ) throws -> ProposalWriter.Application {
        var proposal = proposal
        proposal.missedAt = proposal.schedule?.at
        proposal.schedule = nil
        proposal.failure = failure.json
        let result = try store(proposal, .proposalFail, reader)
        try result.proposal.tell(failure.event, at: head, on: reader.connection)
        return result
    }

    private func store(
        _ proposal: Proposal, _ action: AuditedAction, _ reader: ProposalReader
    ) throws -> ProposalWriter.Application {
        try reader.connection.run(ProposalStatements.update(proposal))
        try reader.connection.run(AuditStatements.record(action, by: .almanac, subject: "\(proposal.number)"))
        return ProposalWriter.Application(proposal: try reader.proposal(proposal.number), outcome: nil)
    }
}

extension Author {
    /// The author of what the program does by itself.
    fileprivate static let almanac = Author("almanac", .host)
}
