internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// The SQL that finds the rows of an action.
enum NoteStatements {
    private static let byID = Statement(
        """
        -- name: note_find
        select \(Note.columns) from notes n where n.account_id = $1 and n.id = $2
        """)

    /// Runs apart from the account's lock: a joint statement would see the notes as they were before its wait.
    private static let state = Statement(
        """
        -- name: note_state
        select \(Note.columns), d.note_id as earlier_note_id, d.status as earlier_status,
            d.revision as earlier_revision, d.restored as earlier_restored
        from accounts a
            left join notes n on n.account_id = a.id and n.id = $3
            left join note_actions d on d.account_id = a.id and d.action_id = $4
        where a.issuer = $1 and a.subject = $2
        """)

    /// The last texts up to a revision. Null if they were thinned out; no row if the note had none yet.
    private static let textAt = Statement(
        """
        -- name: note_text_at
        select t.title, b.body
        from (select title from note_revisions
                where account_id = $1 and note_id = $2 and revision <= $3 and (title is not null or title_thinned)
                order by revision desc limit 1) t,
            (select body from note_revisions
                where account_id = $1 and note_id = $2 and revision <= $3 and (body is not null or body_thinned)
                order by revision desc limit 1) b
        """)

    /// The last tags and pin up to a revision. No row if there were none yet.
    private static let metadataAt = Statement(
        """
        -- name: note_filing_at
        select tags, pinned, tags_thinned from note_revisions
        where account_id = $1 and note_id = $2 and revision <= $3 and (tags is not null or tags_thinned)
        order by revision desc limit 1
        """)

    private static let position = Statement(
        """
        -- name: note_position
        select position from notes where account_id = $1 and id = $2 and purged_at is null
        """)

    private static let firstPosition = Statement(
        """
        -- name: note_first_position
        select position from notes where account_id = $1 and purged_at is null and id <> $2
        order by position limit 1
        """)

    private static let lastPosition = Statement(
        """
        -- name: note_last_position
        select position from notes where account_id = $1 and purged_at is null and id <> $2
        order by position desc limit 1
        """)

    private static let positionAfter = Statement(
        """
        -- name: note_position_after
        select position from notes where account_id = $1 and purged_at is null and id <> $2 and position > $3
        order by position limit 1
        """)

    /// Finds a note, which may be a tombstone.
    static func find(_ id: String, in account: Account) -> Call { Call(byID, .bigint(account.id), .text(id)) }

    /// Finds an action's note, and the effect of an earlier copy of the action.
    static func state(of user: VerifiedUser, noteID: String, actionID: String?) -> Call {
        Call(state, .text(user.issuer), .text(user.subject), .text(noteID), .text(actionID))
    }

    static func text(
        of noteID: String, at revision: Int64, in account: Account, on connection: Connection
    ) throws(PostgresFailure) -> HistoricalText {
        let call = Call(textAt, .bigint(account.id), .text(noteID), .bigint(revision))
        guard let row = try connection.run(call).first else { return .none }
        guard let title = try row.optionalText("title"), let body = try row.optionalText("body") else {
            return .thinned
        }
        return .available(NoteText(title: title, body: body))
    }

    /// Returns a note's metadata at a revision; nil if it was thinned out.
    static func metadata(
        of noteID: String, at revision: Int64, in account: Account, on connection: Connection
    ) throws(PostgresFailure) -> NoteMetadata? {
        let call = Call(metadataAt, .bigint(account.id), .text(noteID), .bigint(revision))
        guard let row = try connection.run(call).first else { return NoteMetadata() }
        return try NoteMetadata.written(in: row) ?? nil
    }

    /// Returns the positions around a place without one note; nil if the place names a note that doesn't exist.
    static func neighbours(
        at place: Action.Place, excluding noteID: String, in account: Account, on connection: Connection
    ) throws(PostgresFailure) -> ListPosition.Neighbours? {
        func position(_ statement: Statement, _ parameters: Parameter...) throws(PostgresFailure) -> String? {
            try connection.run(statement, with: [.bigint(account.id)] + parameters).first?.text("position")
        }
        switch place {
        case .first: return ListPosition.Neighbours(upper: try position(firstPosition, .text(noteID)))
        case .last: return ListPosition.Neighbours(lower: try position(lastPosition, .text(noteID)))
        case .after(let id):
            guard let lower = try position(Self.position, .text(id)) else { return nil }
            let upper = try position(positionAfter, .text(noteID), .text(lower))
            return ListPosition.Neighbours(lower: lower, upper: upper)
        }
    }
}

extension Note {
    /// The columns of a note in a query that names the table `n`.
    ///
    /// The time of the last edit is in the history, so that programs that know no such time write the right one too. It
    /// is read from there only if the note has changed since. The history keeps the action that wrote the last text.
    static let columns = """
        n.id, n.title, n.body, n.tags, n.pinned, n.position, n.created_at, n.updated_at,
        coalesce(n.written_at, (
            select e.recorded_at from note_revisions e
            where n.text_revision < n.revision and e.account_id = n.account_id and e.note_id = n.id
                and e.revision = n.text_revision), n.updated_at) as edited_at,
        n.revision, n.text_revision, n.deleted_at, n.purged_at
        """

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        text = NoteText(title: try row.text("title"), body: try row.text("body"))
        metadata = try NoteMetadata(row)
        position = try row.text("position")
        createdAt = try row.timestamp("created_at")
        updatedAt = try row.timestamp("updated_at")
        editedAt = try row.timestamp("edited_at")
        revision = try row.bigint("revision")
        textRevision = try row.bigint("text_revision")
        deletedAt = try row.optionalTimestamp("deleted_at")
        isPurged = try row.optionalTimestamp("purged_at") != nil
    }
}

extension NoteState {
    init(_ row: Row, in account: Account) throws(PostgresFailure) {
        var earlier: AppliedAction?
        if let noteID = try row.optionalText("earlier_note_id") {
            let first = ActionResult.OriginalEffect(
                status: try row.text("earlier_status"), revision: try row.bigint("earlier_revision"),
                isRestored: try row.boolean("earlier_restored"))
            earlier = AppliedAction(noteID: noteID, originalEffect: first)
        }
        self.init(account: account, note: try row.optionalText("id") == nil ? nil : Note(row), earlier: earlier)
    }
}
