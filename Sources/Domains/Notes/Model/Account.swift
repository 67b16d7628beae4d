internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The state of one user's notes: a row of `accounts`.
struct Account: Sendable {
    let id: Int64
    /// The id of this account's revision history: the database's lineage followed by the account's own.
    let lineage: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    /// The revision of the latest change.
    let revision: Int64
    /// The revision since which the history is complete.
    let oldestRevision: Int64
    /// The number of notes, including those in the trash.
    let notes: Int
    /// The size of all titles, bodies and tags.
    let bytes: Int64
    /// The bytes counted for texts and tags in the history (`HistoryBudget`); nil until counted.
    var historyBytes: Int64? = 0

    /// The account may have changed twice within the second; the stored time doesn't tell.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: nil) }

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }

    /// The account's own part of its lineage, which identifies no person.
    var lineageSuffix: String { String(lineage.suffix(8)) }

    /// Returns true if the history contains the cursor's state and every change since.
    ///
    /// Revision 0 has seen nothing, so it fits any lineage.
    func reaches(_ cursor: Cursor) -> Bool {
        if cursor.revision == 0 { return oldestRevision == 0 }
        return (cursor.lineage ?? lineage) == lineage && (oldestRevision...revision).contains(cursor.revision)
    }

    /// Throws if the history doesn't know the texts at a revision.
    func check(_ cursor: Cursor) throws(NotesRefusal) {
        guard (cursor.lineage ?? lineage) == lineage else { throw .wrongLineage(cursor) }
        guard cursor.revision <= revision else { throw .revisionInFuture(cursor.revision, newest: revision) }
        guard cursor.revision >= oldestRevision else { throw .revisionTrimmed(oldest: oldestRevision) }
    }
}

/// The position of an account in its revision history.
struct AccountState: Sendable {
    let id: Int64
    let cursor: Cursor
    let updatedAt: Timestamp

    init(_ account: Account) {
        id = account.id
        cursor = account.cursor
        updatedAt = account.updatedAt
    }

    /// - Parameter note: the note that changed last in the account.
    init(_ account: Account, after note: Note) {
        id = account.id
        cursor = Cursor(revision: note.revision, lineage: account.lineage)
        updatedAt = note.updatedAt
    }
}
