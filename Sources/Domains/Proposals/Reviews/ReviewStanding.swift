/// The standing of a proposal's reviews, computed whenever it is read.
public struct ReviewStanding: Sendable {
    /// The keys that lack approvals.
    public private(set) var unmet: [Unmet] = []
    /// The ids of the approvals and rejections that count.
    public private(set) var counting: Set<Int64> = []
    /// True if a counting rejection covers a key. It blocks the release.
    public private(set) var isRejected = false

    /// Keys that need more approvals than they have.
    public struct Unmet: Sendable, Equatable {
        public let keys: [String]
        public let required: Int
        public let has: Int

        public init(keys: [String], required: Int, has: Int) {
            self.keys = keys
            self.required = required
            self.has = has
        }
    }

    public var isApproved: Bool { unmet.isEmpty && !isRejected }

    /// - Parameters:
    ///   - reviews: All reviews.
    ///   - edits: The edits that are in the proposal now.
    ///   - keys: The keys that the release would change now.
    ///   - present: The round, the effect and the part of the version that the release would raise now.
    ///   - policy: The policy of now; nil if releases need no approvals.
    public init(
        _ reviews: [ProposalReview], edits: [ProposalEdit], keys: [String],
        present: (round: Int, effect: String, part: VersionPart), policy: ApprovalPolicy?
    ) {
        let contributors = Set(edits.flatMap(\.contributors).compactMap(\.person))
        var approvals: [ProposalReview] = []
        for review in reviews where !review.isWithdrawn && !contributors.contains(review.reviewer) {
            guard keys.contains(where: review.covers) else { continue }
            switch review.verdict {
            case .comment: continue
            case .reject:
                // A rejection is about the round, whatever the proposal's effect is meanwhile.
                guard review.round == present.round else { continue }
                isRejected = true
            case .approve:
                guard review.round == present.round, review.effect == present.effect, review.part >= present.part
                else { continue }
                approvals.append(review)
            }
            counting.insert(review.id)
        }
        guard let policy else { return }
        var groups: [[Int]: [String]] = [:]
        for key in keys {
            let required = policy.required(for: key)
            let has = Set(approvals.filter { $0.covers(key) }.map(\.reviewer)).count
            if has < required { groups[[required, has], default: []].append(key) }
        }
        unmet = groups.map { Unmet(keys: $0.value.sorted(), required: $0.key[0], has: $0.key[1]) }
            .sorted { ($0.keys.first ?? "") < ($1.keys.first ?? "") }
    }
}
