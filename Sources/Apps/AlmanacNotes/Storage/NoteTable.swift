internal import AlmanacForms
internal import AlmanacRevisions
internal import AlmanacSQLite

/// The table of notes in a file, read and written as whole records.
struct NoteTable {
    let database: SQLiteDatabase

    func find(_ id: String) throws -> NoteRecord? { try database.run(NoteStatement.find, .text(id)).first.map(record) }

    /// Returns the notes of the list or the trash in the server's order. Notes without a position come last.
    func list(inTrash: Bool) throws -> [NoteRecord] {
        let place: NoteRecord.Place = inTrash ? .trash : .list
        return try database.run(NoteStatement.list, .integer(place.rawValue)).map(record)
    }

    func all() throws -> [NoteRecord] { try database.run(NoteStatement.all).map(record) }

    /// Returns notes with changes to send. Notes with a pending action come first, in the order of the actions.
    func dirty(limit: Int) throws -> [NoteRecord] {
        try database.run(NoteStatement.dirty, .integer(Int64(limit))).map(record)
    }

    /// Returns the numbers of notes and attachments with unsent changes and with rejected changes.
    func unsynced() throws -> UnsyncedNotes {
        guard let row = try database.run(NoteStatement.unsynced).first else { return UnsyncedNotes() }
        return UnsyncedNotes(
            waiting: Int(try row.requiredNumber("waiting")), refused: Int(try row.requiredNumber("refused")),
            waitingAttachments: Int(try row.requiredNumber("waiting_attachments")),
            refusedAttachments: Int(try row.requiredNumber("refused_attachments")))
    }

    func search(_ text: String, limit: Int) throws -> [NoteRecord] {
        let wanted = try SearchText(text)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        if wanted.match.isEmpty {
            // Pending moves depend on notes without the tags, so apply them before filtering.
            let list = try list(inTrash: false).inListOrder()
            return Array(list.filter { NoteTags.without(wanted.tags, $0.text.tags).isEmpty }.prefix(limit))
        }
        return try database.run(NoteStatement.search, .text(wanted.match), .text(wanted.levels), .integer(Int64(limit)))
            .map(record)
    }

    func tags() throws -> [(tag: String, notes: Int)] {
        try database.run(NoteStatement.tags).map { (try $0.requiredText("tag"), Int(try $0.requiredNumber("notes"))) }
    }

    func save(_ record: NoteRecord) throws {
        let tags = SQLiteValue.text(try NoteTags.stored(record.text.tags))
        let texts: [SQLiteValue] = [.text(record.id), .text(record.text.title), .text(record.text.body), tags]
        let isIndexed = try !database.run(NoteStatement.hasTexts, with: texts).isEmpty
        try database.run(NoteStatement.save, with: try values(of: record) + [.integer(try version() + 1)])
        if !isIndexed { try index(record) }
        guard let action = record.pendingAction else {
            try database.run(NoteStatement.endAction, .text(record.id), .text(""))
            return
        }
        try database.run(NoteStatement.endAction, .text(record.id), .text(action.id))
        try database.run(
            NoteStatement.beginAction, .text(record.id), .text(action.id), .text(action.kind.rawValue),
            .text(action.text.title), .text(action.text.body), SQLiteValue(action.after),
            SQLiteValue(action.moveNumber), .text(try NoteTags.stored(action.text.tags)),
            SQLiteValue(action.text.isPinned))
    }

    /// Replaces the words and tags of a note in the search index, and records that a text names an attachment.
    func index(_ record: NoteRecord) throws {
        let text = record.text
        if !AttachmentReferences.ids(in: text.body).isEmpty { try SyncTable(database: database).setHasReferences() }
        try database.run(NoteStatement.dropWords, .text(record.id))
        try database.run(
            NoteStatement.addWords, .text(record.id), .text(SearchWords.of(text.title)),
            .text(SearchText.indexed(text.tags)), .text(SearchWords.of(text.body)))
    }

    func remove(_ id: String) throws {
        try database.run(NoteStatement.dropWords, .text(id))
        try database.run(NoteStatement.endAction, .text(id), .text(""))
        try database.run(NoteStatement.markRemoved, .text(id), .integer(try version() + 1))
        try database.run(NoteStatement.remove, .text(id))
    }

    /// Returns the version of the last change, which every change of a note by any process increments.
    func version() throws -> Int64 { try database.run(NoteStatement.version).first?.number("last") ?? 0 }

    /// Returns the notes that have changed after a version.
    func changed(after version: Int64) throws -> Set<String> {
        Set(try database.run(NoteStatement.changed, .integer(version)).map { try $0.requiredText("id") })
    }

    func nextMoveNumber() throws -> Int64 {
        try database.run(NoteStatement.lastMove).first?.number("last").map { $0 + 1 } ?? 1
    }

    private func values(of record: NoteRecord) throws -> [SQLiteValue] {
        let (shadow, waiting) = (record.shadow?.text, record.deferredChange?.text)
        return [
            .text(record.id), .text(record.text.title), .text(record.text.body), .integer(record.place.rawValue),
            SQLiteValue(record.position), .integer(record.createdAt), .integer(record.updatedAt),
            SQLiteValue(shadow?.title), SQLiteValue(shadow?.body),
            SQLiteValue(record.shadow?.cursor.revision), SQLiteValue(record.shadow?.cursor.lineage),
            SQLiteValue(record.isInServersTrash), .integer(record.lastReceived), SQLiteValue(record.spellsBase),
            SQLiteValue(record.deferredChange?.cursor.revision), SQLiteValue(record.deferredChange?.cursor.lineage),
            SQLiteValue(waiting?.title), SQLiteValue(waiting?.body), SQLiteValue(record.deferredChange?.position),
            SQLiteValue(record.pendingMove?.number), SQLiteValue(record.pendingMove?.after),
            SQLiteValue(record.pendingMove?.acknowledged), SQLiteValue(record.problem?.type),
            SQLiteValue(record.problem?.detail), SQLiteValue(record.isDirty), .text(record.text.body.excerpt),
            .text(try NoteTags.stored(record.text.tags)), SQLiteValue(record.text.isPinned),
            SQLiteValue(try shadow.map { try NoteTags.stored($0.tags) }), SQLiteValue(shadow?.isPinned ?? false),
            SQLiteValue(try waiting.map { try NoteTags.stored($0.tags) }), SQLiteValue(waiting?.isPinned ?? false),
            SQLiteValue(record.hasImportedTimes),
        ]
    }

    private func record(_ row: SQLiteRow) throws -> NoteRecord {
        var record = NoteRecord(
            id: try row.requiredText("id"), text: try requiredText(row, ""),
            createdAt: try row.requiredNumber("created_at"), updatedAt: try row.requiredNumber("updated_at"))
        guard let place = NoteRecord.Place(rawValue: try row.requiredNumber("in_trash")) else {
            throw SQLiteFailure(.corrupt, "a note in an unknown place")
        }
        record.place = place
        record.position = try row.text("position")
        if let text = try text(row, "shadow_"), let cursor = try cursor(row, "shadow_revision", "shadow_lineage") {
            record.shadow = NoteRecord.Shadow(text: text, cursor: cursor)
        }
        record.isInServersTrash = try row.boolean("in_servers_trash")
        record.lastReceived = try row.requiredNumber("heard")
        record.spellsBase = try row.boolean("spells_base")
        record.hasImportedTimes = try row.boolean("own_times")
        if let cursor = try cursor(row, "news_revision", "news_lineage") {
            record.deferredChange = NoteRecord.RemoteChange(
                cursor: cursor, text: try text(row, "news_"), position: try row.text("news_position"))
        }
        if let number = try row.number("wish_number") {
            record.pendingMove = NoteRecord.PendingMove(
                number: number, after: try row.text("wish_after"), acknowledged: try row.number("wish_acknowledged"))
        }
        if let type = try row.text("problem_type") {
            record.problem = StoredNote.Problem(type: type, detail: try row.text("problem_detail") ?? "")
        }
        record.pendingAction = try action(row)
        return record
    }

    private func action(_ row: SQLiteRow) throws -> NoteRecord.PendingAction? {
        guard let id = try row.text("action_id") else { return nil }
        guard let kind = NoteRecord.PendingAction.Kind(rawValue: try row.requiredText("kind")) else {
            throw SQLiteFailure(.corrupt, "an action of an unknown kind")
        }
        return NoteRecord.PendingAction(
            id: id, kind: kind, text: try requiredText(row, "sent_"), after: try row.text("after"),
            moveNumber: try row.number("sent_wish"))
    }

    private func requiredText(_ row: SQLiteRow, _ prefix: String) throws -> StoredNote.Text {
        guard let text = try text(row, prefix) else { throw SQLiteFailure(.corrupt, "a note has no text") }
        return text
    }

    private func text(_ row: SQLiteRow, _ prefix: String) throws -> StoredNote.Text? {
        guard let title = try row.text(prefix + "title"), let body = try row.text(prefix + "body") else { return nil }
        return StoredNote.Text(
            title: title, body: body, tags: try NoteTags.read(try row.text(prefix + "tags")),
            isPinned: try row.number(prefix + "pinned") ?? 0 != 0)
    }

    private func cursor(_ row: SQLiteRow, _ revision: String, _ lineage: String) throws -> Cursor? {
        guard let revision = try row.number(revision), let lineage = try row.text(lineage) else { return nil }
        return Cursor(revision: revision, lineage: lineage)
    }
}

/// The state of a file as seen by one connection.
struct FileState: Sendable, Hashable {
    /// A number that changes with every write by another connection.
    let others: Int64
    /// The version of the last change of a note, by any connection.
    let version: Int64
    /// The version of the last change of an attachment, by any connection.
    let attachmentVersion: Int64

    init(of database: SQLiteDatabase) throws {
        (others, version, attachmentVersion) = try database.snapshot {
            (
                try database.dataVersion(), try NoteTable(database: database).version(),
                try AttachmentTable(database: database).version()
            )
        }
    }
}

// Column names are those of the first file version: `wish_…` is the pending move, `news_…` the waiting change.
private enum NoteStatement {
    private static let columns = """
        n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish,
            a.tags as sent_tags, a.pinned as sent_pinned
        """
    private static let withAction = "left join actions a on a.note_id = n.id"

    static let find = SQLiteStatement(
        """
        -- name: note_find
        select \(columns) from notes n \(withAction) where n.id = ?1
        """)

    static let list = SQLiteStatement(
        """
        -- name: notes_list
        select \(columns) from notes n \(withAction) where n.in_trash = ?1
        order by n.position is null, n.position, n.number
        """)

    static let all = SQLiteStatement(
        """
        -- name: notes_all
        select \(columns) from notes n \(withAction) order by n.number
        """)

    static let dirty = SQLiteStatement(
        """
        -- name: notes_dirty
        select \(columns) from notes n \(withAction) where n.is_dirty
        order by a.number is null, a.number, n.number limit ?1
        """)

    static let search = SQLiteStatement(
        """
        -- name: notes_search
        with \(SearchText.worth("?2"))
        select \(columns) from notes_search s join notes n on n.number = s.rowid left join worth w on w.number = s.rowid
            \(withAction)
        where s.notes_search match ?1 and n.in_trash = 0
        order by \(SearchText.bestFirst) limit ?3
        """)

    /// Finds a note that already has this title, body and tags.
    static let hasTexts = SQLiteStatement(
        """
        -- name: note_has_texts
        select 1 from notes where id = ?1 and title = ?2 and body = ?3 and tags = ?4
        """)

    static let dropWords = SQLiteStatement(
        """
        -- name: note_drop_words
        delete from notes_search where rowid = (select number from notes where id = ?1)
        """)

    static let addWords = SQLiteStatement(
        """
        -- name: note_add_words
        insert into notes_search (rowid, title, tags, body) select number, ?2, ?3, ?4 from notes where id = ?1
        """)

    static let tags = SQLiteStatement(
        """
        -- name: notes_tags
        select t.value as tag, count(*) as notes from notes n, json_each(n.tags) t where n.in_trash = 0
        group by t.value order by t.value
        """)

    static let unsynced = SQLiteStatement(
        """
        -- name: notes_unsynced
        select
            (select count(*) from notes where is_dirty) as waiting,
            (select count(*) from notes where problem_type is not null) as refused,
            (select count(*) from attachments where state in (0, 3)) as waiting_attachments,
            (select count(*) from attachments where state = 2) as refused_attachments
        """)

    static let save = SQLiteStatement(
        """
        -- name: note_save
        insert into notes (
            id, title, body, in_trash, position, created_at, updated_at, shadow_title, shadow_body, shadow_revision,
            shadow_lineage, in_servers_trash, heard, spells_base, news_revision, news_lineage, news_title, news_body,
            news_position, wish_number, wish_after, wish_acknowledged, problem_type, problem_detail, is_dirty, excerpt,
            tags, pinned, shadow_tags, shadow_pinned, news_tags, news_pinned, own_times, version
        ) values (
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23,
            ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34
        ) on conflict (id) do update set
            title = ?2, body = ?3, in_trash = ?4, position = ?5, created_at = ?6, updated_at = ?7, shadow_title = ?8,
            shadow_body = ?9, shadow_revision = ?10, shadow_lineage = ?11, in_servers_trash = ?12, heard = ?13,
            spells_base = ?14, news_revision = ?15, news_lineage = ?16, news_title = ?17, news_body = ?18,
            news_position = ?19, wish_number = ?20, wish_after = ?21, wish_acknowledged = ?22, problem_type = ?23,
            problem_detail = ?24, is_dirty = ?25, excerpt = ?26, tags = ?27, pinned = ?28,
            shadow_tags = ?29, shadow_pinned = ?30, news_tags = ?31, news_pinned = ?32, own_times = ?33, version = ?34
        """)

    static let remove = SQLiteStatement(
        """
        -- name: note_remove
        delete from notes where id = ?1
        """)

    static let markRemoved = SQLiteStatement(
        """
        -- name: note_mark_removed
        insert into removed (id, version) values (?1, ?2)
        """)

    /// Selects the version of the last change; null before the first change.
    static let version = SQLiteStatement(
        """
        -- name: notes_version
        select max(version) as last
        from (select max(version) as version from notes union all select max(version) from removed)
        """)

    static let changed = SQLiteStatement(
        """
        -- name: notes_changed
        select id from notes where version > ?1 union select id from removed where version > ?1
        """)

    static let beginAction = SQLiteStatement(
        """
        -- name: action_begin
        insert into actions (note_id, action_id, kind, title, body, after, wish_number, tags, pinned)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) on conflict do nothing
        """)

    /// Deletes a note's pending action unless it has the given id.
    static let endAction = SQLiteStatement(
        """
        -- name: action_end
        delete from actions where note_id = ?1 and action_id <> ?2
        """)

    static let lastMove = SQLiteStatement(
        """
        -- name: wish_last
        select max(number) as last
        from (select wish_number as number from notes union all select wish_number from actions)
        """)
}
