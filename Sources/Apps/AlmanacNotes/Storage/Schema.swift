internal import AlmanacSQLite

/// The schema of a file of notes, with its migrations.
enum Schema {
    /// The `application_id` of a file of notes: "AlNs".
    static let mark: Int64 = 0x416C_4E73

    /// The migrations, one for each version. A file's `user_version` is the number of applied migrations.
    private static let versions: [[SQLiteStatement]] = [
        [notes, dirtyIndex, actions, meta, manifest, search, searchInserted, searchDeleted, searchUpdated],
        [noteVersion, versionIndex, removed], Schema.summaries, Schema.tags, Schema.words, Schema.attachments,
    ]

    /// Creates the tables, or migrates them from an earlier version.
    ///
    /// - Parameter known: the target version; a test creates earlier versions.
    static func prepare(_ database: SQLiteDatabase, path: String, version known: Int64 = Int64(versions.count)) throws {
        if try number(database, "pragma user_version") == known, try number(database, "pragma application_id") == mark {
            return
        }
        // The journal mode is stored in the file, so reject a foreign file before setting the mode.
        try checkOwner(database, path)
        try checkVersion(database, path, known)
        if database.isReadOnly {
            throw NotesFileFailure.readOnly("\(path) has an older version, and cannot be upgraded")
        }
        try database.keepWriteAheadLog()
        try database.transaction {
            try checkOwner(database, path)
            let version = try checkVersion(database, path, known)
            for steps in versions[Int(version)..<Int(known)] {
                for step in steps { try database.run(step) }
            }
            if version < 3, known >= 3 { try setExcerpts(database) }
            if (1..<4).contains(version), known >= 4 { try requestAllNotes(database) }
            if version < 5, known >= 5 { try rebuildSearchIndex(database) }
            try database.run(SQLiteStatement("pragma application_id = \(mark)"))
            try database.run(SQLiteStatement("pragma user_version = \(known)"))
        }
    }

    @discardableResult
    private static func checkVersion(_ database: SQLiteDatabase, _ path: String, _ known: Int64) throws -> Int64 {
        let version = try number(database, "pragma user_version")
        guard version <= known else {
            throw NotesFileFailure.newer("\(path) has version \(version); this app supports versions up to \(known)")
        }
        return version
    }

    private static func checkOwner(_ database: SQLiteDatabase, _ path: String) throws {
        guard try number(database, "pragma application_id") != mark else { return }
        if try database.run(anything).isEmpty { return }
        // Another process may have created the tables between the two checks.
        guard try number(database, "pragma application_id") == mark else {
            throw NotesFileFailure.notANotesFile("\(path) is a database of another program")
        }
    }

    /// Sets the excerpts that version 3 introduced.
    private static func setExcerpts(_ database: SQLiteDatabase) throws {
        for row in try database.run(bodies) {
            try database.run(setExcerpt, .text(try row.requiredText("id")), .text(try row.requiredText("body").excerpt))
        }
    }

    private static func rebuildSearchIndex(_ database: SQLiteDatabase) throws {
        let table = NoteTable(database: database)
        for record in try table.all() { try table.index(record) }
    }

    /// Requests all notes again, because an earlier version of the library ignored the tags in responses.
    private static func requestAllNotes(_ database: SQLiteDatabase) throws {
        let table = NoteTable(database: database)
        for var record in try table.all() {
            record.forgetHistory()
            try table.save(record)
        }
        let syncTable = SyncTable(database: database)
        var progress = try syncTable.progress()
        guard progress.phase != .deciding else { return }
        progress.loseHistory()
        try syncTable.clearManifest()
        try syncTable.save(progress)
    }

    private static func number(_ database: SQLiteDatabase, _ pragma: String) throws -> Int64 {
        guard case .integer(let number)? = try database.run(SQLiteStatement(pragma)).first?.values.first else {
            throw SQLiteFailure(.corrupt, "\(pragma) returned no value")
        }
        return number
    }

    private static let bodies = SQLiteStatement(
        """
        -- name: schema_bodies
        select id, body from notes
        """)

    private static let setExcerpt = SQLiteStatement(
        """
        -- name: schema_set_excerpt
        update notes set excerpt = ?2 where id = ?1
        """)

    private static let anything = SQLiteStatement(
        """
        -- name: schema_anything
        select name from sqlite_schema limit 1
        """)

    /// A note: the local text, the shadow (the last known text on the server), the change that waits for a pending
    /// action (`news_…`) and the pending move (`wish_…`).
    private static let notes = SQLiteStatement(
        """
        -- name: schema_notes
        create table notes (
            number integer primary key,
            id text not null unique,
            title text not null,
            body text not null,
            in_trash integer not null,
            position text,
            created_at integer not null,
            updated_at integer not null,
            shadow_title text,
            shadow_body text,
            shadow_revision integer,
            shadow_lineage text,
            in_servers_trash integer not null,
            heard integer not null,
            spells_base integer not null,
            news_revision integer,
            news_lineage text,
            news_title text,
            news_body text,
            news_position text,
            wish_number integer,
            wish_after text,
            wish_acknowledged integer,
            problem_type text,
            problem_detail text,
            is_dirty integer not null
        )
        """)

    /// The version of a note's last change, by which a process detects changes by others.
    private static let noteVersion = SQLiteStatement(
        """
        -- name: schema_note_version
        alter table notes add column version integer not null default 0
        """)

    private static let versionIndex = SQLiteStatement(
        """
        -- name: schema_notes_version
        create index notes_version on notes (version)
        """)

    private static let removed = SQLiteStatement(
        """
        -- name: schema_removed
        create table removed (version integer primary key, id text not null)
        """)

    private static let dirtyIndex = SQLiteStatement(
        """
        -- name: schema_notes_dirty
        create index notes_dirty on notes (number) where is_dirty
        """)

    /// The pending actions, at most one for each note, stored until their result is known.
    private static let actions = SQLiteStatement(
        """
        -- name: schema_actions
        create table actions (
            number integer primary key,
            note_id text not null unique,
            action_id text not null unique,
            kind text not null,
            title text not null,
            body text not null,
            after text,
            wish_number integer
        )
        """)

    private static let meta = SQLiteStatement(
        """
        -- name: schema_meta
        create table meta (name text primary key, value text not null) without rowid
        """)

    /// The server's list of notes, for the comparison with this file.
    private static let manifest = SQLiteStatement(
        """
        -- name: schema_manifest
        create table manifest (id text primary key, revision integer not null) without rowid
        """)

    private static let search = SQLiteStatement(
        """
        -- name: schema_search
        create virtual table notes_search using fts5 (
            title, body, content = 'notes', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2',
            prefix = '2 3'
        )
        """)

    private static let searchInserted = SQLiteStatement(
        """
        -- name: schema_search_inserted
        create trigger notes_search_inserted after insert on notes begin
            insert into notes_search (rowid, title, body) values (new.number, new.title, new.body);
        end
        """)

    private static let searchDeleted = SQLiteStatement(
        """
        -- name: schema_search_deleted
        create trigger notes_search_deleted after delete on notes begin
            insert into notes_search (notes_search, rowid, title, body)
            values ('delete', old.number, old.title, old.body);
        end
        """)

    private static let searchUpdated = SQLiteStatement(
        """
        -- name: schema_search_updated
        create trigger notes_search_updated after update of title, body on notes
        when old.title is not new.title or old.body is not new.body begin
            insert into notes_search (notes_search, rowid, title, body)
            values ('delete', old.number, old.title, old.body);
            insert into notes_search (rowid, title, body) values (new.number, new.title, new.body);
        end
        """)
}
