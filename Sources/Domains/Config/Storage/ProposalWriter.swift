internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacWebhooks

/// The writer of proposals and reviews. Each step locks the head, then the proposal, so that two steps never wait for
/// each other.
struct ProposalWriter {
    let writer: ReleaseWriter
    let author: Author
    /// The person who acts; nil for a service account.
    let person: ReviewPerson?

    /// The keys that the author may change; nil for none.
    var keys: KeySelection?

    /// The author of a release at a time that is set now.
    var scheduleAuthor: Proposal.ScheduleAuthor {
        Proposal.ScheduleAuthor(author: author, person: person, keys: keys ?? .some([]))
    }

    var editAuthor: ProposalAuthor { ProposalAuthor(person: person, name: author.name, tokenID: author.tokenID) }

    /// Creates a draft with the edits of a write.
    func create(
        _ intent: ReleaseWriter.Intent, keys: [String]?, after predecessor: Int64?, edits: ReleaseWriter.Edits
    ) throws -> Proposal {
        try writer.pool.withConnection { connection in
            try connection.change { connection in
                let head = try HeadStatements.lockHead(on: connection)
                try writer.check(intent, at: head, on: connection)
                let reader = ProposalReader(writer: writer, connection: connection)
                if let predecessor { try reader.checkPredecessor(predecessor, of: nil) }
                let plan = try writer.plan(intent, keys, edits, at: head, on: connection).plan
                let edits = plan.changes.flatMap { change in
                    ProposalEdit.edits(
                        of: change.key, from: change.stateBefore, to: change.stateAfter, by: editAuthor, round: 1)
                }
                guard !edits.isEmpty else { throw ProposalRefusal.empty }
                try Self.check(edits)
                let title = intent.message.isEmpty ? Self.title(of: edits) : intent.message
                let row = try connection.run(
                    ProposalStatements.insert(
                        title: title, message: "", by: author, person, after: predecessor)
                ).single("proposals")
                let number = try row.bigint("number")
                try connection.run(ProposalStatements.insert(edits, of: number))
                try record(.proposalCreate, number, on: connection)
                return try reader.proposal(number)
            }
        }
    }

    /// Changes a proposal and returns its new state.
    ///
    /// - Parameters:
    ///   - version: The version that the caller saw; nil for any.
    ///   - step: The step that the state must permit.
    ///   - change: Changes the proposal at the locked head.
    func step(
        _ number: Int64, version: Int64?, _ step: ProposalState.Step, _ action: AuditedAction,
        change: (inout Proposal, ProposalReader, Head) throws -> Void = { _, _, _ in }
    ) throws -> Proposal {
        try writer.pool.withConnection { connection in
            try connection.change { connection in
                let head = try HeadStatements.lockHead(on: connection)
                let reader = ProposalReader(writer: writer, connection: connection)
                var proposal = try reader.proposal(number, locks: true)
                if let version, version != proposal.version {
                    throw ProposalRefusal.changed(version: proposal.version)
                }
                guard let state = proposal.state.after(step) else {
                    throw ProposalRefusal.wrongState(proposal.state, step: action.rawValue)
                }
                let before = proposal
                proposal.state = state
                try change(&proposal, reader, head)
                if proposal.edits != before.edits { try replace(before.edits, in: proposal, on: connection) }
                if state == .open && before.state == .draft || proposal.round != before.round {
                    try authorSchedule(of: &proposal)
                }
                // Reviews are no part of the version, so that comments do not delay the author.
                if step != .review { try connection.run(ProposalStatements.update(proposal)) }
                try record(action, number, on: connection)
                let stored = try reader.proposal(number)
                // Nobody waits for changes of a draft.
                if let event = action.proposalEvent, before.state == .open || stored.state == .open {
                    try stored.tell(event, at: head, on: connection)
                }
                return stored
            }
        }
    }

    /// Makes the caller the author of the release at the proposal's time.
    ///
    /// A release at a time needs the same scopes as a release now, so that nobody releases what they may only propose.
    private func authorSchedule(of proposal: inout Proposal) throws {
        guard let schedule = proposal.schedule else { return }
        let others = proposal.edits.map(\.key).filter { keys?.includes($0) != true }
        guard others.isEmpty else {
            throw ConfigRefusal.keysOutOfScope(Array(Set(others)).sorted(), allowed: keys?.names ?? [])
        }
        proposal.schedule = Proposal.Schedule(at: schedule.at, zone: schedule.zone, author: scheduleAuthor)
    }

    /// Stores changed edits. The others stay as they are, with the token that wrote them.
    private func replace(_ old: [ProposalEdit], in proposal: Proposal, on connection: Connection) throws {
        try Self.check(proposal.edits)
        let (before, after) = (EditIndex(old), EditIndex(proposal.edits))
        let gone = old.filter { after[$0] != $0 }
        let new = proposal.edits.filter { before[$0] != $0 }
        try connection.run(ProposalStatements.delete(gone, of: proposal.number))
        try connection.run(ProposalStatements.insert(new, of: proposal.number))
    }

    /// Adds a verdict or a comment.
    ///
    /// - Parameters:
    ///   - effect: The effect that the reviewer saw; nil for a comment.
    ///   - keys: The keys that the reviewer may approve.
    func review(
        _ number: Int64, _ verdict: ProposalReview.Verdict, message: String, effect: String?, keys: KeySelection
    ) throws -> Proposal {
        guard let person else { throw ProposalRefusal.noReviewer([]) }
        return try step(number, version: nil, .review, .proposalReview) { proposal, reader, head in
            let comments = proposal.reviews.count { $0.review.verdict == .comment }
            guard proposal.reviews.count < Proposal.maxReviews, verdict != .comment || comments < Proposal.maxComments
            else { throw ProposalRefusal.tooManyReviews }
            var part: VersionPart?
            if verdict != .comment {
                // The forecast is the dearest part, so everything else is checked before it.
                let edited = Set(proposal.edits.map(\.key)).sorted()
                guard edited.contains(where: keys.includes) else { throw ProposalRefusal.noReviewer(edited) }
                try reader.checkIsNoContributor(person, to: proposal)
                try reader.check(effect ?? "", of: proposal, at: head)
                guard let outlook = try reader.outlook(of: proposal, at: head) else { return }
                let changed = ProposalOutlook.keys(outlook.resolution, outlook.forecast)
                guard changed.contains(where: keys.includes) else { throw ProposalRefusal.noReviewer(changed) }
                part = outlook.part
            }
            try reader.connection.run(
                ReviewStatements.insert(
                    verdict, message: message, by: person, author, keys: keys, of: proposal, effect: effect ?? "",
                    part: part))
            if verdict != .comment {
                try proposal.tell(
                    verdict == .approve ? .proposalApproved : .proposalRejected, at: head,
                    part: proposal.reviews.count, on: reader.connection)
            }
        }
    }

    /// Withdraws the caller's own review.
    func withdraw(review: Int64, of number: Int64) throws -> Proposal {
        try step(number, version: nil, .review, .proposalReview) { proposal, reader, _ in
            guard let stored = proposal.reviews.first(where: { $0.review.id == review }),
                stored.review.reviewer == person,
                try reader.connection.run(ReviewStatements.withdraw(review, of: number)).first != nil
            else { throw ProposalRefusal.reviewNotFound(review) }
        }
    }

    func record(_ action: AuditedAction, _ number: Int64, on connection: Connection) throws {
        try connection.run(AuditStatements.record(action, by: author, subject: "\(number)"))
    }

    private static func check(_ edits: [ProposalEdit]) throws(ProposalRefusal) {
        let keys = Set(edits.map(\.key)).count
        guard keys <= Proposal.maxKeys else { throw .tooManyKeys(keys) }
        guard edits.count <= Proposal.maxEdits else { throw .tooManyEdits(edits.count) }
        guard edits.bytes <= Proposal.maxBytes else { throw .tooLarge(bytes: edits.bytes) }
        for edit in edits where edit.path.text.utf8.count > PartPath.maxBytes {
            throw .invalidEdit(
                key: edit.key, path: String(edit.path.text.prefix(80)),
                "the name of the part is longer than \(PartPath.maxBytes) bytes")
        }
    }

    private static func title(of edits: [ProposalEdit]) -> String {
        let keys = Set(edits.map(\.key)).sorted()
        return "Change " + keys.prefix(3).joined(separator: ", ")
            + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
    }
}

/// Edits by key and path, compared by bytes.
struct EditIndex {
    private let edits: [[UInt8]: ProposalEdit]

    init(_ edits: [ProposalEdit]) {
        self.edits = Dictionary(edits.map { (Self.place($0.key, $0.path), $0) }) { first, _ in first }
    }

    subscript(_ edit: ProposalEdit) -> ProposalEdit? { self[edit.key, edit.path] }

    subscript(_ key: String, _ path: PartPath) -> ProposalEdit? { edits[Self.place(key, path)] }

    /// Returns the bytes of a key and a path. Neither contains a zero byte.
    static func place(_ key: String, _ path: PartPath) -> [UInt8] { Array(key.utf8) + [0] + Array(path.text.utf8) }
}
