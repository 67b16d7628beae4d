internal import AlmanacAttachments
internal import AlmanacTimestamps

/// A file that belongs to an account's notes: a row of `attachments`. A text names it by its id.
struct Attachment: Sendable {
    let id: String
    let declaration: AttachmentDeclaration
    let hasStoredPreview: Bool
    /// The revision of the account when the file or a later preview was stored, or the attachment removed; nil before.
    let revision: Int64?
    let createdAt: Timestamp
    let isRemoved: Bool
}

/// The client's description of an attachment before it sends the bytes.
struct AttachmentDeclaration: Sendable {
    let file: DeclaredBytes
    /// The media type, which nobody believes.
    let type: String
    let name: String
    /// The size in pixels, which nobody believes.
    let width: Int?
    let height: Int?
    let preview: DeclaredBytes?

    /// The bytes that count for the account's quota.
    var bytes: Int64 { file.count + (preview?.count ?? 0) }

    func bytes(of part: AttachmentPart) -> DeclaredBytes? { part == .file ? file : preview }

    /// Returns true if another declaration describes the same bytes. Name and type may differ. A device that sends a
    /// file again after a restore may lack its preview.
    func hasSameBytes(as other: AttachmentDeclaration) -> Bool {
        file == other.file && (other.preview == nil || preview == other.preview)
    }
}

/// The length and the hash of the bytes that a client will send.
struct DeclaredBytes: Equatable, Sendable {
    let count: Int64
    let hash: BlobHash
}

/// The parts of an attachment, which are sent and read separately.
enum AttachmentPart: String, Sendable {
    case file, preview
}

/// The state of one part of an attachment.
struct AttachmentPartState: Sendable {
    let accountID: Int64
    let attachment: Attachment
    let part: AttachmentPart
    /// The declared bytes of the part.
    let declared: DeclaredBytes
    /// True if the store has the bytes.
    let isStored: Bool
    /// The name of the store that has the bytes; nil if none has them.
    let store: String?
    /// The number of bytes, and of pieces, that have arrived of an unfinished upload.
    let received: Int64
    let pieces: Int

    /// The offset at which the upload continues; the whole length once the bytes are stored.
    var offset: Int64 { isStored ? declared.count : received }

    /// The limit on one piece, in bytes, and on the number of pieces of an upload, which bounds the rows.
    static let maxPieceBytes = 1 << 20
    static let maxPieces = 1000

    /// Throws if a piece does not continue the upload.
    func check(pieceOf count: Int, at offset: Int64) throws(AttachmentRefusal) {
        guard offset == self.offset else { throw .wrongOffset(self.offset) }
        guard Int64(count) <= declared.count - offset else { throw .tooLong(declared.count) }
        guard count > 0 else { throw .emptyPiece }
        guard pieces < Self.maxPieces else { throw .tooManyPieces }
    }

    /// Returns true if a piece is the last.
    func isComplete(with count: Int) -> Bool { received + Int64(count) == declared.count }
}
