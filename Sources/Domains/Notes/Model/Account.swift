internal import AlmanacRevisions
internal import AlmanacTimestamps

/// One user's notes as a whole: a row of `accounts`.
struct Account: Sendable {
    let id: Int64
    /// Tells revisions of this account's history from those of another: the database's lineage and the account's word.
    let lineage: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    /// The number of changes so far.
    let revision: Int64
    /// Every change after this revision is kept.
    let oldestRevision: Int64
    /// How many notes there are, those in the trash included, and the bytes of their texts.
    let notes: Int
    let bytes: Int64

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }

    /// Whether a cursor names a state of this history from which all changes since are known.
    ///
    /// Who has seen nothing yet has missed nothing, in whatever history.
    func reaches(_ cursor: Cursor) -> Bool {
        if cursor.revision == 0 { return oldestRevision == 0 }
        return (cursor.lineage ?? lineage) == lineage && (oldestRevision...revision).contains(cursor.revision)
    }
}
