internal import AlmanacForms
internal import AlmanacRevisions

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The body of `PUT /{environment}/attachments/{id}`.
struct AttachmentDeclaration: Encodable {
    let bytes: Int64
    let sha256: String
    let type: String
    let name: String
    let width: Int?
    let height: Int?
    let preview: Part?

    struct Part: Codable {
        let bytes: Int64
        let sha256: String
    }

    init(_ record: AttachmentRecord) {
        (bytes, sha256) = (record.file.bytes, record.file.sha256)
        (type, name) = (record.type, record.name)
        (width, height) = (record.size?.width, record.size?.height)
        preview = record.preview.map { Part(bytes: $0.bytes, sha256: $0.sha256) }
    }
}

/// The answer to a declaration.
struct DeclaredUpload: Decodable {
    /// The number of received bytes of the file.
    let offset: Int64
}

/// A page of `GET /{environment}/attachments`.
struct AttachmentPage: Decodable {
    let cursor: String
    var attachments: [Entry]?
    var removed: [String]?
    var next: String?

    struct Entry: Decodable {
        let id: String
        let sha256: String
        let bytes: Int64
        let type: String
        let name: String
        var width: Int?
        var height: Int?
        var preview: AttachmentDeclaration.Part?
        var created_at: String?
    }

    /// Parses and validates a response body.
    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the attachments")
        let ids = (attachments ?? []).map(\.id) + (removed ?? [])
        guard ids.allSatisfy(AttachmentID.isValid) else {
            throw .unexpectedResponse("an attachment has an invalid id")
        }
        guard (attachments ?? []).allSatisfy(\.isStorable) else {
            throw .unexpectedResponse("an attachment cannot be stored")
        }
    }

    /// Returns the page's cursor, which must have a lineage.
    func place() throws(NotesSyncFailure) -> Cursor {
        guard let cursor = Cursor(cursor), cursor.lineage != nil else {
            throw .unexpectedResponse("the attachments have no cursor")
        }
        return cursor
    }
}

extension AttachmentPage.Entry {
    fileprivate var isStorable: Bool {
        bytes > 0 && (preview?.bytes ?? 1) > 0 && ![name, type, sha256].contains { $0.utf8.contains(0) }
    }

    /// The attachment as stored by the server.
    var record: AttachmentRecord {
        var record = AttachmentRecord(
            id: id, name: name, type: type, file: AttachmentRecord.Content(bytes: bytes, sha256: sha256),
            state: .stored, createdAt: created_at.flatMap(ServerNote.milliseconds) ?? 0)
        record.preview = preview.map { AttachmentRecord.Content(bytes: $0.bytes, sha256: $0.sha256) }
        if let width, let height { record.size = StoredAttachment.PixelSize(width: width, height: height) }
        return record
    }
}
