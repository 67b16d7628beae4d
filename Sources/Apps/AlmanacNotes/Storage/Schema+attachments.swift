internal import AlmanacSQLite

extension Schema {
    /// The migration to version 6: the attachments, whose bytes are in files beside the file of notes.
    static let attachments = [attachmentsTable, attachmentsByState, attachmentsByVersion, knownReferences]

    private static let attachmentsTable = SQLiteStatement(
        """
        -- name: schema_attachments
        create table attachments (
            id text primary key,
            name text not null,
            type text not null,
            bytes integer not null,
            sha256 text not null,
            preview_bytes integer,
            preview_sha256 text,
            width integer,
            height integer,
            state integer not null,
            sent_bytes integer not null,
            problem_type text,
            problem_detail text,
            created_at integer not null,
            version integer not null
        ) without rowid
        """)

    private static let attachmentsByState = SQLiteStatement(
        """
        -- name: schema_attachments_state
        create index attachments_state on attachments (state, created_at)
        """)

    private static let attachmentsByVersion = SQLiteStatement(
        """
        -- name: schema_attachments_version
        create index attachments_version on attachments (version)
        """)

    /// Records that a text names an attachment, which ``NoteTable`` records from this version on.
    private static let knownReferences = SQLiteStatement(
        """
        -- name: schema_attachment_references
        insert or ignore into meta (name, value)
        select 'has_references', '1' where exists (select 1 from notes where body like '%attachments/%')
        """)
}
