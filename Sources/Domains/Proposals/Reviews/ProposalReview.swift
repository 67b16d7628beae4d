public import AlmanacForms

/// A verdict of a person about one effect of a proposal.
public struct ProposalReview: Sendable, Equatable {
    public let id: Int64
    public let verdict: Verdict
    public let reviewer: ReviewPerson
    /// The keys that the reviewer may approve now.
    public let keys: KeySelection
    /// The round and the effect that the reviewer saw.
    public let round: Int
    public let effect: String
    /// The part of the version that the release would have raised then.
    public let part: VersionPart
    public var isWithdrawn = false

    public enum Verdict: String, Sendable {
        case approve, reject, comment
    }

    public init(
        id: Int64, verdict: Verdict, reviewer: ReviewPerson, keys: KeySelection, round: Int, effect: String,
        part: VersionPart, isWithdrawn: Bool = false
    ) {
        self.id = id
        self.verdict = verdict
        self.reviewer = reviewer
        self.keys = keys
        self.round = round
        self.effect = effect
        self.part = part
        self.isWithdrawn = isWithdrawn
    }

    /// Returns true if the reviewer may approve changes of a key.
    func covers(_ key: String) -> Bool { keys.includes(key) }
}

/// The part of a semantic version that a release raises.
public enum VersionPart: Int, Sendable, Comparable {
    case patch, minor, major

    public static func < (left: VersionPart, right: VersionPart) -> Bool { left.rawValue < right.rawValue }
}
