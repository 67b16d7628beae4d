internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The state of an environment's config as a whole: the only row of `config_head`.
struct Head: Equatable, Sendable {
    /// The id of the history, which distinguishes its revisions from those of other histories.
    let lineage: String
    /// The number of changes so far.
    let revision: Int64
    let updatedAt: Timestamp
    let version: SemanticVersion
    /// The oldest revision from which all later changes are stored.
    let oldestRevision: Int64
    /// The last revision that changed or deleted rows without a new `updated_at`. Older snapshots must be reloaded.
    let rewrittenRevision: Int64
    /// True if no earlier change was made in the second of `updatedAt`.
    var hasOwnSecond = true

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }

    /// The time of the state for HTTP validators.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: hasOwnSecond) }

    /// Returns true if a cursor belongs to this history. A bare revision always does.
    func isOfSameHistory(as cursor: Cursor) -> Bool { (cursor.lineage ?? lineage) == lineage }

    /// Returns true if a cursor names exactly this state.
    func isAt(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision == revision }

    /// Returns true if a cursor names a later state of this history.
    func isBehind(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision > revision }

    /// Returns true if a cursor names this state or an earlier state of this history.
    func hasReached(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision <= revision }

    /// Returns true if a cursor names a state of this history since which all changes are stored.
    func knowsChanges(since cursor: Cursor) -> Bool {
        isOfSameHistory(as: cursor) && (oldestRevision...revision).contains(cursor.revision)
    }
}
