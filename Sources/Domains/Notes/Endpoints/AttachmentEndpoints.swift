internal import AlmanacAttachments
internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions

/// The endpoints of attachments.
enum AttachmentEndpoints {
    /// `PUT /{environment}/attachments/{id}`: declares an attachment, or tells where its upload continues.
    static func put(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        let id = try captures.attachmentID
        try request.accepts("application/json")
        let declaration = try AttachmentDeclaration(request, context.service.limits)
        let offset = try context.service.declareAttachment(declaration, id: id, for: user)
        return .noStore(status: offset == nil ? 201 : 200, JSONWriter.object { $0.member("offset", offset ?? 0) })
    }

    /// `PATCH /{environment}/attachments/{id}`: receives a piece of the file or of the preview.
    static func patch(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        let part = try part(request.target.query)
        let id = try captures.attachmentID
        try request.contains("application/octet-stream")
        let text = request.headers["Upload-Offset"] ?? ""
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let offset = Int64(text) else {
            throw Problem(.invalidHeader, "Upload-Offset must be the number of bytes that were sent before")
        }
        let piece = try request.bytes(limit: AttachmentPartState.maxPieceBytes)
        let next = try context.service.append(piece, to: part, of: id, at: offset, for: user)
        return Response(status: 204, headers: [("Upload-Offset", "\(next)"), ("Cache-Control", "no-store")])
    }

    /// `GET /{environment}/attachments/{id}`: the bytes. `HEAD`: the state of the upload.
    static func get(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        let part = try part(request.target.query)
        let id = try captures.attachmentID
        let state = try context.service.attachment(id, part, of: user)
        if request.method == "HEAD" { return head(of: state) }
        guard state.isStored else { throw AttachmentRefusal.notHere(id) }
        // A range with a condition may not apply.
        let field = request.headers["If-Range"] == nil ? request.headers["Range"] : nil
        let range = RequestedRange(field, of: Int(state.declared.count))
        if range == .unsatisfiable {
            throw Problem(
                .rangeNotSatisfiable,
                "the file has \(state.declared.count) bytes; ask for some of them, or for the whole file",
                headers: [("Content-Range", "bytes */\(state.declared.count)")])
        }
        for store in try context.service.stores.places(of: state.store ?? "") {
            do { return try bytes(of: state, range, for: request, from: store) } catch BlobStoreFailure.missing {}
        }
        throw AttachmentRefusal.notHere(id)
    }

    private static func head(of state: AttachmentPartState) -> Response {
        // The body in pieces sends no Content-Length, which would be that of an empty answer.
        var response = Response(contentType: "application/octet-stream") { _ in }
        response.headers += [
            ("Upload-Offset", "\(state.offset)"), ("Upload-Length", "\(state.declared.count)"),
            ("Almanac-Attachment", state.isStored ? "stored" : "receiving"), ("Cache-Control", "no-store"),
        ]
        return response
    }

    /// Returns the answer with the bytes, which nginx reads from the store, or else the worker.
    private static func bytes(
        of state: AttachmentPartState, _ range: RequestedRange, for request: Request, from store: any BlobStore
    ) throws -> Response {
        let start = try store.read(state.declared.hash, from: 0, count: ShownType.prefixBytes)
        // The use of the bytes in a browser.
        let mayShow = ["empty", "image", nil].contains(request.headers["Sec-Fetch-Dest"])
        let type = mayShow ? ShownType(start) : nil
        var response = Response(status: 200)
        response.headers += [
            ("Content-Type", type?.rawValue ?? "application/octet-stream"),
            ("Content-Disposition", disposition(of: state.attachment.declaration.name, isShown: type != nil)),
            ("Cache-Control", "no-store"), ("Almanac-Attachment", "stored"),
        ]
        if let address = store.internalAddress(of: state.declared.hash) {
            response.headers.append(("X-Accel-Redirect", address))
        } else {
            response.sendBytes(of: state.declared, range, from: store)
        }
        return response
    }

    /// Returns the value of `Content-Disposition` (RFC 6266) with a name in UTF-8 (RFC 8187).
    private static func disposition(of name: String, isShown: Bool) -> String {
        var encoded: [UInt8] = []
        for byte in name.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-._~!#$&+^`|".utf8.contains(byte)
            if isPlain {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%")] + String(byte >> 4, radix: 16, uppercase: true).utf8
                encoded += String(byte & 15, radix: 16, uppercase: true).utf8
            }
        }
        return (isShown ? "inline" : "attachment") + "; filename*=UTF-8''" + String(decoding: encoded, as: UTF8.self)
    }

    /// `DELETE /{environment}/attachments/{id}`: removes the attachment for good.
    static func delete(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try context.service.removeAttachment(try captures.attachmentID, for: user)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }

    private static func part(_ query: Query) throws(Problem) -> AttachmentPart {
        try query.allow("part")
        guard let text = query["part"] else { return .file }
        guard let part = AttachmentPart(rawValue: text) else {
            throw Problem(.invalidParameter, "'part' must be file or preview")
        }
        return part
    }

    /// The maximum number of attachments on a page, and its default.
    private static let maxPerPage: Int64 = 1000

    /// `GET /{environment}/attachments`: the attachments stored or removed since a revision.
    static func list(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        let query = request.target.query
        try query.allow("since", "next", "limit")
        if query["since"] != nil, query["next"] != nil {
            throw Problem(.invalidParameter, "'since' and 'next' exclude each other")
        }
        guard let since = Cursor(query["next"] ?? query["since"] ?? "0") else {
            throw Problem(
                .invalidParameter,
                "'since' must be a revision such as 43, or a cursor such as 43.k3f9, and 'next' the 'next' of the "
                    + "previous page")
        }
        let limit = Int(try query.integer("limit", in: 1...maxPerPage) ?? maxPerPage)
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, newest in
            guard AttachmentPage.reaches(since, reader?.account) else { throw ListQuery.resync }
            let page = try reader.map { try $0.attachments(since: since.revision, limit: limit) }
            var response = Response.noStore(
                JSONWriter.object { writer in
                    writer.members(of: page, at: newest)
                    writer.member(
                        "limits",
                        object: { $0.member("attachment_bytes", Int64(context.service.limits.attachmentBytes)) })
                })
            response.headers += NotesHeaders.fields(of: newest, updatedAt: reader?.account.updatedAt)
            return response
        }
    }
}

extension Response {
    /// Sends the bytes, or one range of them, from a store that nginx can't read.
    fileprivate mutating func sendBytes(
        of declared: DeclaredBytes, _ range: RequestedRange, from store: any BlobStore
    ) {
        let bytes = Int(declared.count)
        var sent = 0..<bytes
        if case .part(let part) = range {
            (status, sent) = (206, part)
            headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes)"))
        }
        headers += [("Content-Length", "\(sent.count)"), ("Accept-Ranges", "bytes")]
        body = .pieces { [sent] send in
            if sent.count == bytes {
                try store.sendWhole(declared, to: send)
            } else {
                // A part of the bytes has no hash to compare.
                try store.send(sent, of: declared.hash, bytes: bytes, to: send)
            }
        }
    }
}

extension BlobStore {
    /// Passes on a whole blob in parts. The last part follows only after the hash was compared, so that nobody takes
    /// wrong bytes for the blob.
    fileprivate func sendWhole(_ declared: DeclaredBytes, to receive: ([UInt8]) throws -> Void) throws {
        let bytes = Int(declared.count)
        var digester = SHA256.Digester()
        var held: [UInt8] = []
        try send(0..<bytes, of: declared.hash, bytes: bytes) { part in
            digester.append(part)
            if !held.isEmpty { try receive(held) }
            held = part
        }
        guard digester.finish() == declared.hash.bytes else {
            throw BlobStoreFailure.away("the store '\(name)' has other bytes for \(declared.hash)")
        }
        try receive(held)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of page: AttachmentPage?, at newest: Cursor) {
        member("revision", newest.revision)
        member("cursor", "\(newest)")
        member(
            "attachments",
            array: { writer in for attachment in page?.stored ?? [] { writer.object { $0.members(of: attachment) } } })
        member("removed", page?.removed ?? [])
        member("more", page?.next != nil)
        if let next = page?.next { member("next", "\(next)") }
    }

    mutating func members(of attachment: Attachment) {
        let declaration = attachment.declaration
        member("id", attachment.id)
        members(of: declaration.file)
        member("type", declaration.type)
        member("name", declaration.name)
        member("width", value: declaration.width.map { .number(JSONNumber($0)) } ?? .null)
        member("height", value: declaration.height.map { .number(JSONNumber($0)) } ?? .null)
        if let preview = declaration.preview, attachment.hasStoredPreview {
            member("preview", object: { $0.members(of: preview) })
        } else {
            member("preview", value: .null)
        }
        if let revision = attachment.revision { member("revision", revision) }
        member("created_at", "\(attachment.createdAt)")
    }

    private mutating func members(of bytes: DeclaredBytes) {
        member("sha256", "\(bytes.hash)")
        member("bytes", bytes.count)
    }
}

extension Captures {
    /// The id of the attachment in the path. Throws if the path segment is no valid id.
    fileprivate var attachmentID: String {
        get throws(Problem) {
            let text = self["id"]
            guard AttachmentID.isValid(text) else {
                throw Problem(.invalidKey, "expected the id of an attachment, of the form \(AttachmentID.form)")
            }
            return text
        }
    }
}
