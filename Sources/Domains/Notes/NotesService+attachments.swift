internal import AlmanacAttachments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// The attachments of notes.
extension NotesService {
    /// - Returns: the offset at which the file's upload continues; nil for a new attachment.
    func declareAttachment(_ declaration: AttachmentDeclaration, id: String, for user: VerifiedUser) throws -> Int64? {
        try write(for: user) { writer in try writer.declare(declaration, id: id) }
    }

    /// Receives a piece of an attachment, and announces the account's new revision if this was the last piece.
    ///
    /// - Returns: the offset after the piece.
    func append(
        _ piece: [UInt8], to part: AttachmentPart, of id: String, at offset: Int64, for user: VerifiedUser
    ) throws -> Int64 {
        let (offset, change) = try write(for: user) { try $0.append(piece, to: part, of: id, at: offset) }
        if let change { announce(change.accountID, revision: change.revision) }
        return offset
    }

    func removeAttachment(_ id: String, for user: VerifiedUser) throws {
        let change = try write(for: user) { try $0.remove(id) }
        announce(change.accountID, revision: change.revision)
    }

    /// Returns the state of one part of an attachment, which may not have arrived.
    func attachment(_ id: String, _ part: AttachmentPart, of user: VerifiedUser) throws -> AttachmentPartState {
        let call = AttachmentStatements.state(of: user, id: id, part: part)
        return try AttachmentPartState(try pool.withConnection { try $0.run(call) }, part, id)
    }

    private func write<Result>(for user: VerifiedUser, _ body: (AttachmentWriter) throws -> Result) throws -> Result {
        do {
            return try pool.withConnection { connection in
                try body(AttachmentWriter(connection: connection, user: user, limits: limits, store: stores.current))
            }
        } catch let refusal as any ProblemRepresentable {
            attachmentMetrics.refuse(refusal.problem.kind)
            throw refusal
        }
    }
}
