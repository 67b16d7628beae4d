public import AlmanacAttachments
public import AlmanacHTTP
internal import AlmanacJSON

/// The table from refusals to problem documents.
extension AttachmentRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .notHere(let id):
            Problem(.attachmentNotHere, "the bytes of the attachment '\(id)' are not here; they may still arrive")
        case .noPreview(let id): Problem(.attachmentNotHere, "the attachment '\(id)' was declared without a preview")
        case .removed(let id):
            Problem(.attachmentRemoved, "the attachment '\(id)' was removed for good; send the file under another id")
        case .exists(let id):
            Problem(.attachmentExists, "the attachment '\(id)' has other bytes; send the file under another id")
        case .empty(let part): Problem(.attachmentEmpty, "the \(part.rawValue) has no bytes")
        case .tooLarge(let part, let bytes, let limit):
            Problem(.attachmentTooLarge, "the \(part.rawValue) has \(bytes) bytes; the limit is \(limit)")
        case .tooMany(let limit):
            Problem(.limitExceeded, "the account has \(limit) attachments already, which is the limit; remove some")
        case .accountFull(let bytes, let limit):
            Problem(.limitExceeded, "all attachments together would have \(bytes) bytes; the limit is \(limit)")
        case .tooManyUploads(let limit):
            Problem(
                .tooManyUploads, "\(limit) uploads are not finished; finish or remove one first",
                headers: [("Retry-After", "5")])
        case .wrongOffset(let offset):
            Problem(
                .wrongOffset, "the upload continues at the offset \(offset)",
                headers: [("Upload-Offset", "\(offset)")], members: [("offset", .number(JSONNumber(offset)))])
        case .tooLong(let bytes): Problem(.attachmentTooLong, "the piece ends after the declared \(bytes) bytes")
        case .emptyPiece: Problem(.invalidValue, "a piece must have at least one byte")
        case .tooManyPieces:
            Problem(
                .limitExceeded,
                "the upload has \(AttachmentPartState.maxPieces) pieces already; remove it, and send pieces of 1 MiB")
        case .hashMismatch:
            Problem(
                .hashMismatch, "the bytes do not have the declared SHA-256; send them again from the offset 0",
                headers: [("Upload-Offset", "0")])
        case .previewNotShown:
            Problem(
                .invalidValue,
                "the preview must begin like one of "
                    + ShownType.allCases.map(\.rawValue).joined(separator: ", "),
                headers: [("Upload-Offset", "0")])
        case .invalidDeclaration(let detail): Problem(.invalidValue, detail)
        }
    }
}

extension BlobStoreFailure: ProblemRepresentable {
    public var problem: Problem {
        switch self {
        case .missing: Problem(.attachmentNotHere, "the bytes of the attachment are not here")
        case .full:
            Problem(
                .storeFull, "the server has no room for the bytes; try again later", headers: [("Retry-After", "60")])
        case .away(let reason):
            Problem(
                .storeAway, "the bytes can't be read or written at the moment; try again",
                headers: [("Retry-After", "5")], reason: reason)
        }
    }
}
