internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// Finds the texts that a note had.
enum PastText {
    /// The texts of a note as they were at a revision.
    static func of(
        _ note: Note, at revision: Cursor, in account: Account, on connection: Connection
    ) throws -> NoteText {
        try check(revision, in: account)
        if revision.revision >= note.textRevision { return note.text }
        let row = try connection.run(
            NoteStatements.textAt, .bigint(account.id), .text(note.id), .bigint(revision.revision)
        ).single("note_revisions")
        guard let title = try row.optionalText("title"), let body = try row.optionalText("body") else {
            throw Problem(.deltaMismatch, "the note '\(note.id)' was not there yet at revision \(revision.revision)")
        }
        return NoteText(title: title, body: body)
    }

    /// Refuses a revision that the account's history doesn't know.
    static func check(_ revision: Cursor, in account: Account) throws(Problem) {
        guard (revision.lineage ?? account.lineage).isIdentical(to: account.lineage) else {
            throw Problem(
                .resync, "\(revision) is of another history; read the notes anew, keeping what you have not sent")
        }
        guard revision.revision <= account.revision else {
            throw Problem(
                .deltaMismatch, "revision \(revision.revision) is yet to come; the newest is \(account.revision)")
        }
        guard revision.revision >= account.oldestRevision else {
            throw Problem(.revisionNotKept, "the history reaches back to revision \(account.oldestRevision) only")
        }
    }
}
