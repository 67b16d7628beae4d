internal import AlmanacSQLite

/// The table of attachments in a file of notes, read and written as whole records.
struct AttachmentTable {
    let database: SQLiteDatabase

    func find(_ id: String) throws -> AttachmentRecord? { try database.run(Self.find, .text(id)).first.map(record) }

    /// Returns all attachments, the latest first.
    func all() throws -> [AttachmentRecord] { try database.run(Self.all).map(record) }

    /// Returns the attachment to send or to remove next.
    func nextPending() throws -> AttachmentRecord? { try database.run(Self.nextPending).first.map(record) }

    func isEmpty() throws -> Bool { try database.run(Self.anything).isEmpty }

    func save(_ record: AttachmentRecord) throws {
        try database.run(
            Self.save, .text(record.id), .text(record.name), .text(record.type), .integer(record.file.bytes),
            .text(record.file.sha256), SQLiteValue(record.preview?.bytes), SQLiteValue(record.preview?.sha256),
            SQLiteValue(record.size.map { Int64($0.width) }), SQLiteValue(record.size.map { Int64($0.height) }),
            .integer(record.state.rawValue), .integer(record.sentBytes), SQLiteValue(record.problem?.type),
            SQLiteValue(record.problem?.detail), .integer(record.createdAt), .integer(try version() + 1))
    }

    func remove(_ id: String) throws { try database.run(Self.remove, .text(id)) }

    /// Returns the version of the last change, which every change by any process increments.
    func version() throws -> Int64 { try database.run(Self.version).first?.number("last") ?? 0 }

    /// Returns the attachments that have changed after a version.
    func changed(after version: Int64) throws -> Set<String> {
        Set(try database.run(Self.changed, .integer(version)).map { try $0.requiredText("id") })
    }

    private func record(_ row: SQLiteRow) throws -> AttachmentRecord {
        guard let state = AttachmentRecord.State(rawValue: try row.requiredNumber("state")) else {
            throw SQLiteFailure(.corrupt, "an attachment in an unknown state")
        }
        var record = AttachmentRecord(
            id: try row.requiredText("id"), name: try row.requiredText("name"), type: try row.requiredText("type"),
            file: AttachmentRecord.Content(
                bytes: try row.requiredNumber("bytes"), sha256: try row.requiredText("sha256")),
            state: state, sentBytes: try row.requiredNumber("sent_bytes"),
            createdAt: try row.requiredNumber("created_at"))
        if let bytes = try row.number("preview_bytes"), let hash = try row.text("preview_sha256") {
            record.preview = AttachmentRecord.Content(bytes: bytes, sha256: hash)
        }
        if let width = try row.number("width"), let height = try row.number("height") {
            record.size = StoredAttachment.PixelSize(width: Int(width), height: Int(height))
        }
        if let type = try row.text("problem_type") {
            record.problem = StoredNote.Problem(type: type, detail: try row.text("problem_detail") ?? "")
        }
        return record
    }

    private static let find = SQLiteStatement(
        """
        -- name: attachment_find
        select * from attachments where id = ?1
        """)

    private static let all = SQLiteStatement(
        """
        -- name: attachments_all
        select * from attachments order by created_at desc, id
        """)

    /// Selects kept attachments, which are the oldest of their state first, before removals.
    private static let nextPending = SQLiteStatement(
        """
        -- name: attachments_next_pending
        select * from attachments where state in (0, 3) order by state, created_at, id limit 1
        """)

    private static let anything = SQLiteStatement(
        """
        -- name: attachments_anything
        select 1 from attachments limit 1
        """)

    private static let save = SQLiteStatement(
        """
        -- name: attachment_save
        insert or replace into attachments (
            id, name, type, bytes, sha256, preview_bytes, preview_sha256, width, height, state, sent_bytes,
            problem_type, problem_detail, created_at, version
        ) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """)

    private static let remove = SQLiteStatement(
        """
        -- name: attachment_remove
        delete from attachments where id = ?1
        """)

    private static let version = SQLiteStatement(
        """
        -- name: attachments_version
        select max(version) as last from attachments
        """)

    private static let changed = SQLiteStatement(
        """
        -- name: attachments_changed
        select id from attachments where version > ?1
        """)
}
