/// The reason why a call about an attachment is refused.
enum AttachmentRefusal: Error, Equatable {
    /// The attachment is unknown, or its bytes have not arrived; the caller can't tell which.
    case notHere(String)
    case noPreview(String)
    case removed(String)
    /// The id is taken by an attachment with other bytes.
    case exists(String)

    case empty(AttachmentPart)
    case tooLarge(AttachmentPart, bytes: Int64, limit: Int)
    case tooMany(limit: Int)
    case accountFull(bytes: Int64, limit: Int64)
    case tooManyUploads(limit: Int)

    /// The upload continues at another offset.
    case wrongOffset(Int64)
    /// The piece exceeds the declared length.
    case tooLong(Int64)
    case emptyPiece
    case tooManyPieces
    case hashMismatch
    /// The preview has none of the types that browsers show.
    case previewNotShown
    case invalidDeclaration(String)
}
