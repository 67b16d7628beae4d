internal import AlmanacRevisions
internal import AlmanacTimestamps

/// One user's notes as a whole: a row of `accounts`.
struct Account: Sendable {
    let id: Int64
    /// Tells revisions of this account's history from those of another: the database's lineage and the account's own.
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
    /// What the texts in the history take, present ones included (`HistoryBudget`); nil until they are counted.
    var historyBytes: Int64? = 0

    /// Nobody knows whether it changed twice in one second.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: nil) }

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }

    /// The account's own part of its lineage, which says nothing of whose it is.
    var word: String { String(lineage.suffix(8)) }

    /// Whether a cursor names a state of this history from which all changes since are known.
    ///
    /// A client that has seen nothing yet has missed nothing, in whatever history.
    func reaches(_ cursor: Cursor) -> Bool {
        if cursor.revision == 0 { return oldestRevision == 0 }
        return (cursor.lineage ?? lineage) == lineage && (oldestRevision...revision).contains(cursor.revision)
    }

    /// Refuses a revision at which this history doesn't know the texts.
    func check(_ cursor: Cursor) throws(NotesRefusal) {
        guard (cursor.lineage ?? lineage) == lineage else { throw .otherHistory(cursor) }
        guard cursor.revision <= revision else { throw .revisionToCome(cursor.revision, newest: revision) }
        guard cursor.revision >= oldestRevision else { throw .revisionNotKept(oldest: oldestRevision) }
    }
}

/// How far an account has come.
struct AccountState: Sendable {
    let id: Int64
    let cursor: Cursor
    let updatedAt: Timestamp

    init(_ account: Account) {
        id = account.id
        cursor = account.cursor
        updatedAt = account.updatedAt
    }

    /// - Parameter note: of the account, and the last that changed in it.
    init(_ account: Account, after note: Note) {
        id = account.id
        cursor = Cursor(revision: note.revision, lineage: account.lineage)
        updatedAt = note.updatedAt
    }
}
