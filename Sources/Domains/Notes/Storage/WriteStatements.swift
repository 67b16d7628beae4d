internal import AlmanacPostgreSQL

/// The SQL that changes a note. Each statement advances the account's revision and time, and writes the note, its
/// history row and the action. The new time is always later than the previous one, even if the clock was set back.
enum WriteStatements {
    static let nextRevision = """
        revision = revision + 1, updated_at = greatest(
            date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
        """

    private static let create = Statement(
        """
        -- name: note_create
        with account as (
            update accounts set notes = notes + 1, bytes = bytes + octet_length($3) + octet_length($4) + $9,
                history_bytes = history_bytes + note_history_bytes($3, $4, $7::jsonb), \(nextRevision)
            where id = $1 returning revision, updated_at
        ), note as (
            insert into notes as n
                (account_id, id, title, body, tags, pinned, position, created_at, updated_at, written_at, revision,
                text_revision)
            select $1, $2, $3, $4, coalesce($7::jsonb, '{}'), coalesce($8, false), $5, least($10, updated_at),
                updated_at, case when $11 is not null then greatest(least($11, updated_at), least($10, updated_at)) end,
                revision, revision
            from account
            returning \(Note.columns)
        ), history as (
            insert into note_revisions
                (account_id, note_id, revision, action, action_id, title, body, tags, pinned, recorded_at)
            select $1, $2, revision, 'createNote', $6, $3, $4, $7::jsonb, $8, updated_at from account
        ), action as (
            insert into note_actions (account_id, action_id, note_id, status, revision, restored)
            select $1, $6, $2, 'applied', revision, false from account where $6 is not null
        )
        select * from note
        """)

    private static let changeText = Statement(
        """
        -- name: note_change_text
        with account as (
            update accounts set bytes = bytes + $5,
                history_bytes = history_bytes + note_history_bytes($3, $4, $11::jsonb), \(nextRevision)
            where id = $1 returning revision, updated_at
        ), note as (
            update notes n set
                title = coalesce($3, n.title), body = coalesce($4, n.body), tags = coalesce($11::jsonb, n.tags),
                pinned = coalesce($12, n.pinned), revision = a.revision, updated_at = a.updated_at,
                written_at = case when $3 is null and $4 is null then n.written_at end,
                text_revision = case when $3 is null and $4 is null then n.text_revision else a.revision end,
                deleted_at = case when $3 is null and $4 is null then n.deleted_at end
            from account a where n.account_id = $1 and n.id = $2
            returning \(Note.columns)
        ), history as (
            insert into note_revisions
                (account_id, note_id, revision, action, action_id, title, body, tags, pinned, recorded_at,
                restored_from)
            select $1, $2, revision, $6, $7, $3, $4, $11::jsonb, $12, updated_at, $10 from account
        ), action as (
            insert into note_actions (account_id, action_id, note_id, status, revision, restored)
            select $1, $7, $2, $8, revision, $9 from account where $7 is not null
        )
        select * from note
        """)

    private static let changePlace = Statement(
        """
        -- name: note_change_place
        with account as (
            update accounts set \(nextRevision)
            where id = $1 returning revision, updated_at
        ), note as (
            update notes n set
                position = coalesce($3, n.position), revision = a.revision, updated_at = a.updated_at,
                deleted_at = case when $4 then coalesce(n.deleted_at, a.updated_at) end
            from account a where n.account_id = $1 and n.id = $2
            returning \(Note.columns)
        ), history as (
            insert into note_revisions (account_id, note_id, revision, action, action_id, recorded_at)
            select $1, $2, revision, $5, $6, updated_at from account
        ), action as (
            insert into note_actions (account_id, action_id, note_id, status, revision, restored)
            select $1, $6, $2, $7, revision, $8 from account where $6 is not null
        )
        select * from note
        """)

    private static let purge = Statement(
        """
        -- name: note_purge
        with account as (
            update accounts set notes = notes - 1, bytes = bytes - $3,
                \(nextRevision)
            where id = $1 returning revision, updated_at, word
        ), note as (
            update notes n set
                title = '', body = '', tags = '{}', pinned = false, revision = a.revision, text_revision = a.revision,
                updated_at = a.updated_at, written_at = null,
                deleted_at = coalesce(n.deleted_at, a.updated_at), purged_at = a.updated_at
            from account a where n.account_id = $1 and n.id = $2
            returning \(Note.columns)
        ), history as (
            insert into note_revisions (account_id, note_id, revision, action, action_id, recorded_at)
            select $1, $2, revision, 'purgeNote', $4, updated_at from account
        ), action as (
            insert into note_actions (account_id, action_id, note_id, status, revision, restored)
            select $1, $4, $2, 'applied', revision, false from account where $4 is not null
        ), words as (
            delete from note_words where account_id = $1 and note_id = $2
        ), attachments as (
            delete from note_attachments where account_id = $1 and note_id = $2
        ), audit as (
            insert into audit_log (action, author, author_kind, subject, details)
            select 'note.purge', word, 'user', word, jsonb_build_object('note', $2) from account
        )
        select * from note
        """)

    private static let deleteHistory = Statement(
        """
        -- name: note_delete_history
        with gone as (
            delete from note_revisions where account_id = $1 and note_id = $2
            returning note_history_bytes(title, body, tags) as bytes
        )
        update accounts set history_bytes = greatest(0, history_bytes - (select coalesce(sum(bytes), 0) from gone))
        where id = $1
        """)

    private static let countHistory = Statement(
        """
        -- name: note_count_history
        update accounts set history_bytes = (
            select coalesce(sum(note_history_bytes(title, body, tags)), 0) from note_revisions where account_id = $1)
        where id = $1
        returning history_bytes
        """)

    private static let thinHistory = Statement(
        """
        -- name: note_thin_history
        select thin_note_history($1, $2, $3) as freed
        """)

    private static let nameAttachments = Statement(
        """
        -- name: note_name_attachments
        insert into note_attachments (account_id, note_id, attachment_id, until_revision)
        select $1, $2, id, case when id = any ($4) then $5 end from unnest($3 || $4) id
        on conflict (account_id, note_id, attachment_id) do update set until_revision = excluded.until_revision
        """)

    private static let supersede = Statement(
        """
        -- name: note_supersede_restored
        update note_revisions set is_repeated = true
        where account_id = $1 and note_id = $2 and action = 'restoreNote' and restored_from = $3 and not is_repeated
        """)

    private static let order = Statement(
        """
        -- name: note_order
        select id from notes where account_id = $1 and purged_at is null order by position
        """)

    private static let renumber = Statement(
        """
        -- name: note_renumber
        update notes n set position = p.position, revision = a.revision, updated_at = a.updated_at
        from unnest($2, $3) as p (id, position), accounts a
        where a.id = $1 and n.account_id = $1 and n.id = p.id
        """)

    private static let recordAction = Statement(
        """
        -- name: note_record_action
        insert into note_actions (account_id, action_id, note_id, status, revision, restored)
        values ($1, $2, $3, $4, $5, false)
        """)

    /// - Parameter metadata: nil if the note has no tags and is not pinned.
    static func create(
        _ text: NoteText, _ metadata: NoteMetadata?, position: String, by action: Action, in account: Account
    ) -> Call {
        let (tags, isPinned) = NoteMetadata.parameters(metadata)
        return Call(
            create, .bigint(account.id), .text(action.noteID), .text(text.title), .text(text.body), .text(position),
            .text(action.id), tags, isPinned, .bigint(Int64(metadata?.tags.bytes ?? 0)),
            .timestamp(action.written.createdAt), .timestamp(action.written.updatedAt))
    }

    /// Changes a note's texts and takes the note out of the trash. A nil value stays unchanged; if both texts are nil,
    /// only the metadata changes.
    ///
    /// - Parameter source: the revision whose texts the action restores.
    static func changeText(
        title: String?, body: String?, _ metadata: NoteMetadata?, growth: Int, as kind: Action.Kind,
        status: ActionResult.Status, isRestored: Bool, from source: Int64?, by action: Action, in account: Account
    ) -> Call {
        let (tags, isPinned) = NoteMetadata.parameters(metadata)
        return Call(
            changeText, .bigint(account.id), .text(action.noteID), .text(title), .text(body), .bigint(Int64(growth)),
            .text(kind.rawValue), .text(action.id), .text(status.rawValue), .boolean(isRestored), .bigint(source), tags,
            isPinned)
    }

    /// Computes the bytes counted for the texts in an account's history.
    static func countHistory(of account: Account) -> Call { Call(countHistory, .bigint(account.id)) }

    /// Thins out an account's history and returns the freed bytes.
    ///
    /// - Parameter maxRows: the limit on examined rows.
    static func thinHistory(of account: Account, by bytes: Int64, maxRows: Int) -> Call {
        Call(thinHistory, .bigint(account.id), .bigint(bytes), .integer(Int32(maxRows)))
    }

    /// Lets the history's thinning remove the earlier copies of texts that are restored again.
    static func supersede(source: Int64, of noteID: String, in account: Account) -> Call {
        Call(supersede, .bigint(account.id), .text(noteID), .bigint(source))
    }

    /// Moves a note, or puts it into or takes it out of the trash. A nil position stays unchanged.
    static func changePlace(
        position: String?, isDeleted: Bool, as kind: Action.Kind, status: ActionResult.Status, isRestored: Bool,
        by action: Action, in account: Account
    ) -> Call {
        Call(
            changePlace, .bigint(account.id), .text(action.noteID), .text(position), .boolean(isDeleted),
            .text(kind.rawValue), .text(action.id), .text(status.rawValue), .boolean(isRestored))
    }

    /// Replaces a note with a tombstone. The note's history must be deleted first.
    static func purge(bytes: Int, by action: Action, in account: Account) -> Call {
        Call(purge, .bigint(account.id), .text(action.noteID), .bigint(Int64(bytes)), .text(action.id))
    }

    static func deleteHistory(of noteID: String, in account: Account) -> Call {
        Call(deleteHistory, .bigint(account.id), .text(noteID))
    }

    /// Stores the id of an action whose note already had the requested state.
    static func record(actionID: String, of note: Note, status: ActionResult.Status, in account: Account) -> Call {
        Call(
            recordAction, .bigint(account.id), .text(actionID), .text(note.id), .text(status.rawValue),
            .bigint(note.revision))
    }

    /// Records the attachments that a note's body names from the account's next revision on, and those that it no
    /// longer names.
    static func nameAttachments(_ references: ReferenceChange, of noteID: String, in account: Account) -> Call {
        Call(
            nameAttachments, .bigint(account.id), .text(noteID), .textArray(references.added),
            .textArray(references.removed), .bigint(account.revision + 1))
    }

    /// Gives all notes of the list new positions, under the revision that the account has just reached.
    static func renumberList(of account: Account, on connection: Connection) throws(PostgresFailure) {
        let ids = try connection.run(order, .bigint(account.id)).map { row throws(PostgresFailure) in try row.text("id")
        }
        let positions = ListPosition.numbering(ids.count)
        try connection.run(renumber, .bigint(account.id), .textArray(ids), .textArray(positions))
    }
}
