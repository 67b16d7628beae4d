internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacTimestamps

/// An atomic change of an environment's config, as stored in the history.
struct Release: Sendable {
    let revision: Int64
    let version: SemanticVersion
    let releasedAt: Timestamp
    let kind: Kind
    let author: String
    let message: String
    /// The reason why the release was made without approvals; nil for every other release.
    var bypassReason: String?
    /// True until somebody acknowledges a release by a bypass.
    var isUnreviewed = false

    enum Kind: String, Sendable {
        case change, restore, purge, retire
    }
}

/// The author of a release in the history.
public struct ReleaseAuthor: Sendable {
    /// The label of the API token, or the subject of the user.
    public let text: String
    /// The author with kind and token; nil if the audit log does not tell them.
    let author: Author?
}

/// A major version that the environment has released.
struct Major: Equatable, Sendable {
    /// The newest version within the major.
    let newest: SemanticVersion
    /// The first revision of the major.
    let releasedRevision: Int64
    let lastAskedAt: Timestamp?
    let retiredAt: Timestamp?
}

/// The change that a release makes to one key.
struct Change: Sendable {
    let key: String
    /// The value before the release; nil if the key did not exist.
    let before: JSONValue?
    /// The value after the release; nil if the key is removed.
    let after: JSONValue?
    let description: String
    /// The description before the release; nil if the key did not exist.
    let descriptionBefore: String?
    /// The kind after the release; for a removal, the kind before.
    let kind: EntryKind
    /// The kind before the release, if it was another.
    let kindBefore: EntryKind?
    let reason: ChangeReason

    init(
        key: String, before: JSONValue?, after: JSONValue?, description: String, descriptionBefore: String? = nil,
        kinds: (before: EntryKind, after: EntryKind) = (.value, .value)
    ) {
        self.key = key
        self.before = before
        self.after = after
        self.description = description
        self.descriptionBefore = before == nil ? nil : descriptionBefore
        let isLive = before != nil && after != nil
        kind = after == nil ? kinds.before : kinds.after
        kindBefore = isLive && kinds.before != kinds.after ? kinds.before : nil
        reason = ChangeReason(from: before, to: after, kinds: isLive ? kinds : (kind, kind))
    }

    var bump: Bump { reason.bump }
}
