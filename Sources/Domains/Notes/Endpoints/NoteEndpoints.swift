internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The calls that show one note.
enum NoteEndpoints {
    /// `GET /{environment}/notes/{id}`: the note, or with `revision` its texts as they were.
    static func note(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        try request.target.query.allow("revision")
        let id = try NoteID.checked(captures["id"])
        let user = try context.user(of: request)
        try request.accepts("application/json")
        let tags = try request.headers.entityTags("If-None-Match")
        let revision = try pastRevision(request.target.query)
        return try context.service.read(for: user) { reader, cursor, connection in
            guard let account = reader?.account, let note = try find(id, account, connection), !note.isPurged else {
                throw Problem.noteGone(id)
            }
            let headers = NotesHeaders.fields(of: cursor, updatedAt: note.updatedAt)
            if let revision {
                var response = Response.personal(try past(note, revision, account, connection))
                response.headers += headers
                return response
            }
            guard !note.isDeleted else {
                throw Problem(
                    .noteGone, "the note '\(id)' is in the trash; POST /notes/\(id)/restore brings it back",
                    headers: headers)
            }
            let tag = NotesHeaders.tag(of: note, lineage: account.lineage)
            var writer = JSONWriter()
            writer.note(note)
            var response = tags?.contain(tag) == true ? Response(status: 304) : Response(body: writer.bytes)
            response.headers += headers + [("ETag", "\"\(tag)\""), ("Cache-Control", "private, no-cache")]
            return response
        }
    }

    /// `GET /{environment}/notes/{id}/history`: what every action did to the note, newest first, with the texts it wrote.
    static func history(_ request: Request, _ captures: Captures, _ context: NotesContext) throws -> Response {
        let query = request.target.query
        try query.allow("limit", "before")
        let id = try NoteID.checked(captures["id"])
        let limit = try query.integer("limit", in: 1...1000) ?? 100
        let before = try query.integer("before", in: 1...Int64.max) ?? .max
        let user = try context.user(of: request)
        try request.accepts("application/json")
        return try context.service.read(for: user) { reader, cursor, connection in
            guard let account = reader?.account, let note = try find(id, account, connection), !note.isPurged else {
                throw Problem.noteGone(id)
            }
            let sizes = try connection.run(
                ReadStatements.historySizes, .bigint(account.id), .text(id), .bigint(before), .bigint(limit + 1))
            let oldest = try lastRevision(sizes, limit: Int(limit))
            let rows = try connection.run(
                ReadStatements.history, .bigint(account.id), .text(id), .bigint(oldest), .bigint(before))
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("id", id)
            writer.name("history")
            writer.beginArray()
            for row in rows { try writer.pastAction(row) }
            writer.endArray()
            writer.member("more", sizes.count > rows.count)
            if sizes.count > rows.count { writer.member("next", oldest) }
            writer.endObject()
            var response = Response.personal(writer.bytes)
            response.headers += NotesHeaders.fields(of: cursor, updatedAt: note.updatedAt)
            return response
        }
    }

    /// The oldest revision of a page that is not too large.
    private static func lastRevision(_ rows: Rows, limit: Int) throws -> Int64 {
        var bytes = 0
        var oldest = Int64.max
        for row in rows.prefix(limit) {
            bytes += try row.integer("size")
            if oldest != .max, bytes > PageKeys.mostBytes { break }
            oldest = try row.bigint("revision")
        }
        return oldest
    }

    private static func find(_ id: String, _ account: Account, _ connection: Connection) throws -> Note? {
        try connection.run(NoteStatements.find, .bigint(account.id), .text(id)).first.map { try Note($0) }
    }

    private static func pastRevision(_ query: Query) throws(Problem) -> Cursor? {
        guard let text = query["revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidParameter, "'revision' must be a revision such as 43, or a cursor such as 43.k3f9")
        }
        return cursor
    }

    private static func past(
        _ note: Note, _ revision: Cursor, _ account: Account, _ connection: Connection
    ) throws -> [UInt8] {
        let text = try PastText.of(note, at: revision, in: account, on: connection)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", note.id)
        writer.member("title", text.title)
        writer.member("body", text.body)
        writer.member("revision", revision.revision)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// What one action did to a note. Texts that it left as they were are left out.
    mutating func pastAction(_ row: Row) throws(PostgresFailure) {
        beginObject()
        member("revision", try row.bigint("revision"))
        member("action", try row.text("action"))
        if let id = try row.optionalText("action_id") { member("action_id", id) }
        member("updated_at", "\(try row.timestamp("recorded_at"))")
        if let title = try row.optionalText("title") { member("title", title) }
        if let body = try row.optionalText("body") { member("body", body) }
        endObject()
    }
}
