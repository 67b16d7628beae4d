internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions

/// The endpoints that show one note.
enum NoteEndpoints {
    /// `GET /{environment}/notes/{id}`: the note, or with `revision` its texts at that revision.
    static func note(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow("revision")
        let id = try captures.noteID
        try request.accepts("application/json")
        let conditions = try ReadConditions(request.headers)
        let revision = try revision(request.target.query)
        return try context.service.read(for: user) { reader, cursor in
            guard let reader, let note = try reader.note(id) else { throw NotesRefusal.noteGone(id) }
            let headers = NotesHeaders.fields(of: cursor, updatedAt: note.updatedAt)
            if let revision {
                let text = try reader.text(of: note, at: revision)
                let metadata = try reader.metadata(of: note, at: revision.revision)
                var response = Response.privateNoCache(document(of: text, metadata, of: id, at: revision))
                response.headers += headers
                return response
            }
            guard !note.isDeleted else {
                throw Problem(
                    .noteGone, "the note '\(id)' is in the trash; POST /notes/\(id)/restore brings it back",
                    headers: headers)
            }
            try request.memory.reserve(12 * note.bytes)
            let tag = NotesHeaders.tag(of: note, lineage: reader.account.lineage)
            var writer = JSONWriter()
            writer.note(note)
            let isKnown = try conditions.isNotModified(tag, note.lastModified)
            var response = isKnown ? .notModified(tag, for: request.headers) : Response(body: writer.bytes)
            if !isKnown { response.headers.append(("ETag", "\"\(tag)\"")) }
            response.headers += headers + [("Cache-Control", "private, no-cache")]
            return response
        }
    }

    /// `GET /{environment}/notes/{id}/history`: the actions on the note with the texts they wrote, newest first.
    static func history(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        let query = request.target.query
        try query.allow("limit", "before")
        let id = try captures.noteID
        let limit = try query.integer("limit", in: 1...1000) ?? 100
        let before = try query.integer("before", in: 1...Int64.max) ?? .max
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, cursor in
            guard let reader, let note = try reader.note(id) else { throw NotesRefusal.noteGone(id) }
            try request.memory.reserve(NotesPage.memory(of: reader.account))
            let document = try JSONWriter.object { writer in
                writer.member("id", id)
                var next: Int64?
                try writer.member(
                    "history",
                    array: { history in
                        next = try reader.history(of: id, before: before, limit: Int(limit)) { history.revision($0) }
                    })
                writer.member("more", next != nil)
                if let next { writer.member("next", next) }
            }
            var response = Response.privateNoCache(document)
            response.headers += NotesHeaders.fields(of: cursor, updatedAt: note.updatedAt)
            return response
        }
    }

    private static func revision(_ query: Query) throws(Problem) -> Cursor? {
        guard let text = query["revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidParameter, "'revision' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        return cursor
    }

    /// - Parameter metadata: nil if it was thinned out.
    private static func document(
        of text: NoteText, _ metadata: NoteMetadata?, of id: String, at revision: Cursor
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("id", id)
            writer.member("title", text.title)
            writer.member("body", text.body)
            if let metadata { writer.members(of: metadata) }
            writer.member("revision", revision.revision)
        }
    }
}
