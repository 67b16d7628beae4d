internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacProposals

extension JSONWriter {
    /// Writes a proposal and its present state into an open object.
    ///
    /// - Parameter outlook: The present state; nil for a proposal that is not pending.
    mutating func members(of proposal: Proposal, _ outlook: ProposalOutlook?, _ context: ConfigContext) {
        summary(of: proposal, outlook, context)
        let standing = outlook?.standing
        let isOpen = proposal.state == .open
        member("message", proposal.message)
        member("effect", value: outlook.map { .string($0.effect) } ?? .null)
        member("bump", value: outlook?.forecast.map { .string($0.plan.bump?.name ?? "none") } ?? .null)
        member("edits", array: { writer in for edit in proposal.edits { writer.edit(edit, context) } })
        member(
            "reviews",
            array: { writer in
                for review in proposal.reviews {
                    let counts = isOpen && standing?.counting.contains(review.review.id) == true
                    writer.review(review, counts: counts, context)
                }
            })
        member("unmet", value: .array(standing?.unmet.map(\.json) ?? []))
        member("conflicts", value: .array(outlook?.resolution.conflicts.map(\.json) ?? []))
        member("failure", value: proposal.failure ?? .null)
        member("blocked", isOpen && outlook?.isBlocked == true)
    }

    /// Writes what a list shows of a proposal into an open object.
    mutating func summary(of proposal: Proposal, _ outlook: ProposalOutlook?, _ context: ConfigContext) {
        let isOpen = proposal.state == .open
        member("number", proposal.number)
        member("title", proposal.title)
        member("state", proposal.state.name)
        member("closed_as", value: proposal.state.reason.map { .string($0.rawValue) } ?? .null)
        member("version", proposal.version)
        member("round", Int64(proposal.round))
        member("author", value: Self.person(proposal.person, context.name(of: proposal.author) ?? proposal.author.name))
        member("keys", Set(proposal.edits.map(\.key)).sorted())
        let contributors = proposal.edits.flatMap(\.contributors)
        member("contributors", value: Self.people(contributors.map { ($0.person, $0.name) }, context))
        let counting = isOpen ? outlook?.standing.counting ?? [] : []
        let counted = proposal.reviews.filter { counting.contains($0.review.id) }
        member("reviewed_by", value: Self.people(counted.map { ($0.review.reviewer, $0.reviewerName) }, context))
        member("apply_at", value: proposal.schedule.map { .string("\($0.at)") } ?? .null)
        member("zone", value: proposal.schedule.map { .string($0.zone) } ?? .null)
        member("after_proposal", value: proposal.predecessor.map { .number(JSONNumber($0)) } ?? .null)
        member("applied_revision", value: proposal.appliedRevision.map { .number(JSONNumber($0)) } ?? .null)
        member("created_at", "\(proposal.createdAt)")
        member("changed_at", "\(proposal.changedAt)")
        member("approved", isOpen && outlook?.standing.isApproved == true)
        member("conflicted", outlook?.isConflicted == true)
        member("changes_requested", isOpen && outlook?.standing.isRejected == true)
        member("scheduled", isOpen && proposal.schedule != nil)
        member("failed", proposal.failure != nil)
    }

    private mutating func edit(_ edit: ProposalEdit, _ context: ConfigContext) {
        object { writer in
            writer.member("key", edit.key)
            writer.member("path", edit.path.text)
            writer.member("before", value: edit.before ?? .null)
            writer.member("after", value: edit.after ?? .null)
            let author = edit.author
            writer.member("author", value: Self.person(author.person, context.name(of: author.person, author.name)))
            writer.member("round", Int64(edit.round))
        }
    }

    private mutating func review(_ stored: Proposal.StoredReview, counts: Bool, _ context: ConfigContext) {
        object { writer in
            writer.member("id", stored.review.id)
            writer.member("verdict", stored.review.verdict.rawValue)
            writer.member("message", stored.message)
            writer.member("round", Int64(stored.review.round))
            writer.member("effect", stored.review.effect)
            let reviewer = stored.review.reviewer
            writer.member("reviewer", value: Self.person(reviewer, context.name(of: reviewer, stored.reviewerName)))
            writer.member("counts", counts)
            writer.member("reviewed_at", "\(stored.reviewedAt)")
            writer.member("withdrawn_at", value: stored.withdrawnAt.map { .string("\($0)") } ?? .null)
        }
    }

    /// Returns each person once, in the order of their first appearance. Service accounts are left out.
    private static func people(
        _ found: [(person: ReviewPerson?, name: String)], _ context: ConfigContext
    ) -> JSONValue {
        var seen: Set<ReviewPerson> = []
        return .array(
            found.compactMap { person, name in
                guard let person, seen.insert(person).inserted else { return nil }
                return Self.person(person, context.name(of: person, name))
            })
    }

    /// Returns a person with a name.
    static func person(_ person: ReviewPerson?, _ name: String) -> JSONValue {
        .object(
            JSONObject([
                ("issuer", person.map { .string($0.issuer) } ?? .null),
                ("subject", person.map { .string($0.subject) } ?? .null), ("name", .string(name)),
            ]))
    }
}

extension ConfigContext {
    /// Returns the name of the person behind an author; nil if none is known.
    fileprivate func name(of author: Author) -> String? { authenticator.personName(of: author) }

    /// Returns the present name of a person, or the name that was stored.
    fileprivate func name(of person: ReviewPerson?, _ stored: String) -> String {
        person.flatMap { name(of: Author($0.subject, .user)) } ?? stored
    }
}
