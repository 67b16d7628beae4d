internal import AlmanacRevisions
internal import AlmanacTimestamps

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
