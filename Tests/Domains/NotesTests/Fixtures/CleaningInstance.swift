import AlmanacAttachments
import AlmanacCryptography
import AlmanacForms
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacNotesDomain

/// An environment with attachments whose passes have a clock of their own.
final class CleaningInstance {
    let notes: NotesInstance
    let folder: BlobFolder
    /// The time of the next pass, in milliseconds since 1970.
    var now = WallClock.milliseconds

    init() throws {
        notes = try NotesInstance()
        folder = BlobFolder(environment: "development", root: notes.attachments.path)
    }

    /// Declares an attachment and sends its bytes.
    func store(_ bytes: [UInt8], as id: String, of user: String) throws {
        let hash = try #require(BlobHash(bytes: SHA256.digest(bytes)))
        let declaration = AttachmentDeclaration(
            file: DeclaredBytes(count: Int64(bytes.count), hash: hash), type: "text/plain", name: "a.txt", width: nil,
            height: nil, preview: nil)
        let user = NotesInstance.user(user)
        _ = try notes.service.declareAttachment(declaration, id: id, for: user)
        _ = try notes.service.append(bytes, to: .file, of: id, at: 0, for: user)
    }

    /// Runs a pass at the time of the clock.
    @discardableResult
    func pass() throws -> AttachmentCleaning.Report {
        try notes.pool.withConnection { connection in
            let cleaning = AttachmentCleaning(
                connection, stores: notes.service.stores, unusedDays: 30, now: Timestamp(milliseconds: now),
                announce: { _, _ in })
            var progress = AttachmentCleaning.Progress()
            while try cleaning.step(&progress) {}
            return progress.report
        }
    }

    /// Removes all past texts that may be removed.
    func thin(_ user: String) throws {
        _ = try notes.query(
            "thin", "select thin_note_history(id, 1000000000, 100000) from accounts where subject = '\(user)'")
    }

    func revision(of user: String) throws -> Int64 {
        try notes.query("revision", "select coalesce(max(revision), 0) as r from accounts where subject = '\(user)'")[0]
            .bigint("r")
    }

    /// Returns the ids that present texts name, and those that kept texts name, read from all texts.
    func namedIDs(_ user: String) throws -> (present: Set<String>, past: Set<String>) {
        func ids(_ table: String) throws -> Set<String> {
            let rows = try notes.query(
                table,
                "select body from \(table) t join accounts a on a.id = t.account_id "
                    + "where a.subject = '\(user)' and body is not null")
            return Set(try rows.flatMap { AttachmentReferences.ids(in: try $0.text("body")) })
        }
        return (try ids("notes"), try ids("note_revisions"))
    }

    /// Returns each attachment that is not removed, with the time in milliseconds since which it is unused, or 0.
    func attachments(of user: String) throws -> [String] {
        try notes.query(
            "left",
            """
            select t.id || ' ' || coalesce((extract(epoch from t.unused_since) * 1000)::bigint, 0) as line
            from attachments t join accounts a on a.id = t.account_id
            where a.subject = '\(user)' and t.removed_at is null order by 1
            """
        ).map { try $0.text("line") }
    }

    /// Returns the hashes that have rows, and those that have files.
    func blobs() throws -> (rows: [String], files: [String]) {
        let rows = try notes.query("blobs", "select encode(hash, 'hex') as hash from blobs order by 1")
        var files: [String] = []
        try folder.each { files.append($0.hash?.description ?? $0.name) }
        return (try rows.map { try $0.text("hash") }, files.sorted())
    }
}
