internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacProposals
internal import AlmanacTimestamps

/// A future release, with its edits and reviews as stored.
struct Proposal: Sendable {
    /// The number within the environment.
    let number: Int64
    var title: String
    var message: String
    var state: ProposalState
    /// The version of the entity tag, raised by each change.
    var version: Int64
    /// The number of the round of reviews, raised by each change of the edits or the time.
    var round: Int
    let author: Author
    /// The person who made the proposal; nil for a service account.
    let person: ReviewPerson?
    /// The time of the release; nil for none.
    var schedule: Schedule?
    /// The time at which the release could not be made; it stays a part of the effect that reviewers saw.
    var missedAt: Timestamp?
    /// The proposal whose result this one builds on.
    var predecessor: Int64?
    /// The reason why the release was not made at its time: an object with a `message`.
    var failure: JSONValue?
    var appliedRevision: Int64?
    let createdAt: Timestamp
    let changedAt: Timestamp
    var edits: [ProposalEdit]
    var reviews: [StoredReview]

    /// A time with the zone in which it is shown, and the author of the release at that time.
    struct Schedule: Sendable {
        let at: Timestamp
        let zone: String
        let author: ScheduleAuthor
    }

    /// The person or the token that set the time, or submitted the proposal with it.
    struct ScheduleAuthor: Sendable {
        let author: Author
        let person: ReviewPerson?
        /// The keys that the author could change then.
        let keys: KeySelection
    }

    /// A review with the parts that only readers need.
    struct StoredReview: Sendable {
        let review: ProposalReview
        let message: String
        let reviewerName: String
        let reviewedAt: Timestamp
        let withdrawnAt: Timestamp?
    }

    /// The most keys and edits of a proposal, and the most bytes of its keys, paths and values as JSON.
    static let maxKeys = 500
    static let maxEdits = 2_000
    static let maxBytes = 1 << 20
    /// The most comments of a proposal, and the most comments and verdicts. Comments alone never prevent verdicts.
    static let maxComments = 200
    static let maxReviews = 1_000

    /// The estimated memory in bytes: the values as text and as JSON, the present ones, and the answer.
    var memory: Int { 12 * edits.bytes + 4 * reviews.reduce(0) { $0 + $1.message.utf8.count } }
}

extension [ProposalEdit] {
    /// The bytes of the keys, the paths and the values as JSON.
    var bytes: Int {
        reduce(0) { bytes, edit in
            bytes + edit.key.utf8.count + edit.path.text.utf8.count + (edit.before?.serialized().count ?? 0)
                + (edit.after?.serialized().count ?? 0)
        }
    }
}

extension Entry {
    /// The entry as proposals see it; nil for a tombstone.
    var state: EntryState? {
        get throws {
            try content().map { value in
                EntryState(
                    value: value, kind: EntryState.Kind(rawValue: kind.rawValue) ?? .value, description: description)
            }
        }
    }
}

extension Change {
    /// The entry before the release; nil if the key did not exist.
    var stateBefore: EntryState? {
        before.map { state($0, kindBefore ?? kind, descriptionBefore ?? description) }
    }

    /// The entry after the release; nil if the key is removed.
    var stateAfter: EntryState? { after.map { state($0, kind, description) } }

    private func state(_ value: JSONValue, _ kind: EntryKind, _ description: String) -> EntryState {
        EntryState(value: value, kind: EntryState.Kind(rawValue: kind.rawValue) ?? .value, description: description)
    }
}

extension EditResolution {
    /// The edits of whole entries that the release makes.
    var entryEdits: [EntryEdit] {
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, state in
            EntryEdit(
                key: key, value: state?.value, description: state?.description,
                kind: state.flatMap { EntryKind(rawValue: $0.kind.rawValue) })
        }
    }
}

extension Bump {
    var part: VersionPart {
        switch self {
        case .major: .major
        case .minor: .minor
        case .patch: .patch
        }
    }
}
