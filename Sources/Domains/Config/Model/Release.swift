internal import AlmanacJSON
internal import AlmanacTimestamps

/// One atomic change of an environment's config, as the history has it.
struct Release: Sendable {
    let revision: Int64
    let version: SemanticVersion
    let releasedAt: Timestamp
    let kind: Kind
    let author: String
    let message: String

    /// The cause of the release.
    enum Kind: String, Sendable {
        case change, restore, purge, retire
    }
}

/// A major version that the environment has released.
struct Major: Equatable, Sendable {
    /// The newest version with that major.
    let newest: SemanticVersion
    /// The revision that began it.
    let releasedRevision: Int64
    let lastAskedAt: Timestamp?
    let retiredAt: Timestamp?
}

/// The change that a release makes to one key.
struct Change: Sendable {
    let key: String
    /// Nil where the key was not there before.
    let before: JSONValue?
    /// Nil where the key is removed.
    let after: JSONValue?
    let description: String
    /// What the entry is after it; of a removal, what it was.
    let kind: EntryKind
    /// What the entry was before it, where that was something else.
    let kindBefore: EntryKind?
    let reason: ChangeReason

    /// - Parameter kinds: those before and after.
    init(
        key: String, before: JSONValue?, after: JSONValue?, description: String,
        kinds: (before: EntryKind, after: EntryKind) = (.value, .value)
    ) {
        self.key = key
        self.before = before
        self.after = after
        self.description = description
        let isLive = before != nil && after != nil
        kind = after == nil ? kinds.before : kinds.after
        kindBefore = isLive && kinds.before != kinds.after ? kinds.before : nil
        reason = ChangeReason(from: before, to: after, kinds: isLive ? kinds : (kind, kind))
    }

    var bump: Bump { reason.bump }
}
