internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The state of an environment's config as a whole: the one row of `config_head`.
struct Head: Equatable, Sendable {
    /// Tells revisions of this history from those of another.
    let lineage: String
    /// The number of changes so far.
    let revision: Int64
    let updatedAt: Timestamp
    let version: SemanticVersion
    /// Every change after this revision is kept.
    let oldestRevision: Int64
    /// The last revision that a snapshot cannot be brought to by the rows with a later `updated_at` alone.
    let rewrittenRevision: Int64
    /// No change before it was made in the second of `updatedAt`.
    var hasOwnSecond = true

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }

    /// When it was made, as HTTP tells it.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: hasOwnSecond) }

    /// Whether a cursor is of this history; a bare revision is taken for one that is.
    func isOfSameHistory(as cursor: Cursor) -> Bool { (cursor.lineage ?? lineage) == lineage }

    /// Whether a cursor names this very state.
    func isAt(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision == revision }

    /// Whether a cursor names a state of this history that is yet to come.
    func isBehind(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision > revision }

    /// Whether a cursor names a state of this history that is here.
    func hasReached(_ cursor: Cursor) -> Bool { isOfSameHistory(as: cursor) && cursor.revision <= revision }

    /// Whether a cursor names a state of this history from which all changes since are known.
    func knowsChanges(since cursor: Cursor) -> Bool {
        isOfSameHistory(as: cursor) && (oldestRevision...revision).contains(cursor.revision)
    }
}
