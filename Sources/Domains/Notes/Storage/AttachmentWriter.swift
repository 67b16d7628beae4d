internal import AlmanacAttachments
internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// Declares, receives and removes a user's attachments.
struct AttachmentWriter {
    let connection: Connection
    let user: VerifiedUser
    let limits: Limits
    let store: any BlobStore

    /// A change of the account, which the caller announces.
    typealias Change = (accountID: Int64, revision: Int64)

    /// Declares an attachment, or repeats a declaration.
    ///
    /// - Returns: the offset at which the file's upload continues; nil for a new attachment.
    func declare(_ declaration: AttachmentDeclaration, id: String) throws -> Int64? {
        let calls = [
            AttachmentStatements.state(of: user, id: id, part: .file), AttachmentStatements.usage(of: user),
        ]
        return try connection.change(opening: [AccountStatements.lock(user)] + calls) { connection, rows in
            var (stateRows, usageRows) = (rows[1], rows[2])
            let account: Account
            if let row = rows[0].first {
                account = try Account(row)
            } else {
                account = try AccountStatements.lockOrMake(user, on: connection)
                (stateRows, usageRows) = (try connection.run(calls[0]), try connection.run(calls[1]))
            }
            if let row = stateRows.first {
                let state = try AttachmentPartState(row, .file, id)
                guard state.attachment.declaration.hasSameBytes(as: declaration) else {
                    throw AttachmentRefusal.exists(id)
                }
                return state.offset
            }
            try check(declaration, try usageRows.single("accounts"))
            _ = try connection.runAndCommit(AttachmentStatements.declare(declaration, id: id, in: account))
            return nil
        }
    }

    /// Throws if the account has no room for another attachment.
    private func check(_ declaration: AttachmentDeclaration, _ usage: Row) throws {
        guard try usage.integer("attachments") < limits.attachments else {
            throw AttachmentRefusal.tooMany(limit: limits.attachments)
        }
        let bytes = try usage.bigint("attachment_bytes") + declaration.bytes
        guard bytes <= limits.attachmentsBytes else {
            throw AttachmentRefusal.accountFull(bytes: bytes, limit: limits.attachmentsBytes)
        }
        guard try usage.integer("uploads") < limits.attachmentUploads else {
            throw AttachmentRefusal.tooManyUploads(limit: limits.attachmentUploads)
        }
    }

    /// Receives a piece. The last piece stores the bytes.
    ///
    /// - Returns: the offset after the piece, and the change that storing the bytes was.
    func append(
        _ piece: [UInt8], to part: AttachmentPart, of id: String, at offset: Int64
    ) throws -> (offset: Int64, change: Change?) {
        let state = try state(of: part, of: id)
        try state.check(pieceOf: piece.count, at: offset)
        if state.isComplete(with: piece.count) { return (state.declared.count, try finish(state, piece)) }
        guard try connection.run(AttachmentStatements.append(piece, to: state)).affected == 1 else {
            throw AttachmentRefusal.wrongOffset(try self.state(of: part, of: id).offset)
        }
        return (offset + Int64(piece.count), nil)
    }

    private func state(of part: AttachmentPart, of id: String) throws -> AttachmentPartState {
        try AttachmentPartState(try connection.run(AttachmentStatements.state(of: user, id: id, part: part)), part, id)
    }

    /// Reads a part's state again. Throws if the user was erased meanwhile, and has declared the id anew.
    private func state(like known: AttachmentPartState) throws -> AttachmentPartState {
        let state = try state(of: known.part, of: known.attachment.id)
        guard state.accountID == known.accountID, state.declared == known.declared else {
            throw AttachmentRefusal.notHere(known.attachment.id)
        }
        return state
    }

    /// Stores the bytes and then the row. Repeats of the last piece wait for the first one, and then find it stored.
    private func finish(_ known: AttachmentPartState, _ piece: [UInt8]) throws -> Change? {
        let id = known.attachment.id
        do {
            return try connection.change(opening: [BlobLock.take(known.declared.hash)]) { connection, _ in
                let state = try state(like: known)
                try state.check(pieceOf: piece.count, at: known.received)
                try store.write(state.declared.hash, bytes: Int(state.declared.count)) { append in
                    try copy(state, piece, append)
                }
                // The text of a note waits only from here on, for one statement.
                guard let row = try connection.run(AccountStatements.lock(user)).first else {
                    throw AttachmentRefusal.notHere(id)
                }
                _ = try Account(row)
                let current = try self.state(like: known)
                let rows = try connection.runAndCommit(AttachmentStatements.store(current, in: store.name))
                return try rows.single("attachments").optionalBigint("revision").map { (current.accountID, $0) }
            }
        } catch let refusal as AttachmentRefusal where [.hashMismatch, .previewNotShown].contains(refusal) {
            try connection.run(AttachmentStatements.discardPieces(of: known))
            throw refusal
        }
    }

    /// Copies the pieces into the store, one at a time, and throws if their bytes are not the declared ones.
    private func copy(
        _ state: AttachmentPartState, _ last: [UInt8], _ append: ([UInt8]) throws -> Void
    ) throws {
        var digester = SHA256.Digester()
        var start: [UInt8] = []
        func add(_ bytes: [UInt8], _ digester: inout SHA256.Digester) throws {
            if start.count < ShownType.prefixBytes { start += bytes.prefix(ShownType.prefixBytes) }
            digester.append(bytes)
            try append(bytes)
        }
        var offset: Int64 = 0
        while offset < state.received {
            // A gap is left by a declaration that was forgotten while a piece arrived.
            guard let row = try connection.run(AttachmentStatements.piece(of: state, at: offset)).first else {
                throw AttachmentRefusal.hashMismatch
            }
            let bytes = try row.bytes("content")
            try add(bytes, &digester)
            offset += Int64(bytes.count)
        }
        try add(last, &digester)
        guard digester.finish() == state.declared.hash.bytes else { throw AttachmentRefusal.hashMismatch }
        if state.part == .preview, ShownType(start) == nil { throw AttachmentRefusal.previewNotShown }
    }

    /// Removes an attachment for good.
    func remove(_ id: String) throws -> Change {
        let find = AttachmentStatements.state(of: user, id: id, part: .file)
        return try connection.change(opening: [AccountStatements.lock(user), find]) { connection, rows in
            guard let account = try rows[0].first.map(Account.init) else { throw AttachmentRefusal.notHere(id) }
            _ = try AttachmentPartState(rows[1], .file, id)
            let removed = try connection.runAndCommit(AttachmentStatements.remove(id, accountID: account.id))
            return (account.id, try removed.single("attachments").bigint("revision"))
        }
    }
}

extension AttachmentPartState {
    /// - Throws: a refusal if the attachment is unknown or removed, or has no such part.
    init(_ rows: Rows, _ part: AttachmentPart, _ id: String) throws {
        guard let row = rows.first else { throw AttachmentRefusal.notHere(id) }
        try self.init(row, part, id)
    }

    fileprivate init(_ row: Row, _ part: AttachmentPart, _ id: String) throws {
        let attachment = try Attachment(row)
        if attachment.isRemoved { throw AttachmentRefusal.removed(id) }
        guard let declared = attachment.declaration.bytes(of: part) else { throw AttachmentRefusal.noPreview(id) }
        self.init(
            accountID: try row.bigint("account_id"), attachment: attachment, part: part, declared: declared,
            isStored: try row.boolean("stored"), store: try row.optionalText("store"),
            received: try row.bigint("received"),
            pieces: try row.integer("pieces"))
    }
}
