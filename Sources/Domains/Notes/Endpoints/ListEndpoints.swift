internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions

/// The endpoint `GET /{environment}/notes` in all its forms.
enum ListEndpoints {
    static func notes(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow("limit", "next", "since", "newest", "form", "q", "tag")
        try request.accepts("application/json")
        let query = try ListQuery(request.target.query)
        let conditions = try ReadConditions(request.headers)
        if case .search = query.form { try context.service.indexWords(of: user) }
        return try context.service.read(for: user) { reader, newest in
            let tag = "\(newest)-\(query.etagPart)"
            if let account = reader?.account { try query.check(account) } else { try query.checkEmpty() }
            if try conditions.isNotModified(tag, reader?.account.lastModified) {
                return response(.notModified(tag, for: request.headers), newest, reader?.account)
            }
            if let account = reader?.account { try request.memory.reserve(NotesPage.memory(of: account)) }
            let body = try reader.map { try page(query, of: $0) } ?? emptyPage(query, at: newest)
            var whole = Response(body: body)
            whole.headers.append(("ETag", "\"\(tag)\""))
            return response(whole, newest, reader?.account)
        }
    }

    private static func response(_ response: Response, _ cursor: Cursor, _ account: Account?) -> Response {
        var response = response
        response.headers += NotesHeaders.fields(of: cursor, updatedAt: account?.updatedAt)
        response.headers += [("Cache-Control", "private, no-cache"), ("Vary", "Authorization")]
        return response
    }

    private static func page(_ query: ListQuery, of reader: NotesReader) throws -> [UInt8] {
        let limit = query.limit
        switch query.form {
        case .list(let token): return document(try reader.list(after: token, limit: limit))
        case .newest(let token): return document(try reader.newest(after: token, limit: limit))
        case .trash(let token): return document(try reader.trash(after: token, limit: limit))
        case .since(let cursor):
            return document(try reader.changes(since: cursor.revision, limit: limit), isDelta: true)
        case .sinceTime(let time): return document(try reader.changes(since: time, limit: limit), isDelta: true)
        case .sincePage(let token): return document(try reader.changes(after: token.after, limit: limit), isDelta: true)
        case .search(let search): return document(try reader.search(search, limit: limit))
        case .manifest(let token): return document(try reader.manifest(after: token, limit: limit))
        }
    }

    /// Returns the page of a user without an account.
    private static func emptyPage(_ query: ListQuery, at cursor: Cursor) throws -> [UInt8] {
        if case .manifest = query.form { return document(Manifest(cursor: cursor, entries: [], next: nil)) }
        let isDelta: Bool =
            switch query.form {
            case .since, .sinceTime, .sincePage: true
            default: false
            }
        let empty = NotesPage(account: nil, cursor: cursor, notes: [], gone: [], next: nil, hasMore: false)
        return document(empty, isDelta: isDelta)
    }

    private static func document(_ page: NotesPage, isDelta: Bool = false) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("revision", page.cursor.revision)
            writer.member("cursor", "\(page.cursor)")
            writer.member("order", page.notes.map(\.id))
            writer.member(
                "details", object: { for note in page.notes { $0.member(note.id, object: { $0.members(of: note) }) } })
            if isDelta { writer.member("deleted", page.gone) }
            writer.member("more", page.hasMore)
            if let next = page.next { writer.member("next", "\(next)") }
        }
    }

    private static func document(_ manifest: Manifest) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("revision", manifest.cursor.revision)
            writer.member("cursor", "\(manifest.cursor)")
            writer.member("manifest", array: { for entry in manifest.entries { $0.manifestEntry(entry) } })
            writer.member("more", manifest.next != nil)
            if let next = manifest.next { writer.member("next", "\(next)") }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func manifestEntry(_ entry: Manifest.Entry) {
        object { writer in
            writer.member("id", entry.id)
            writer.member("revision", entry.revision)
            writer.member("sha256", entry.hash)
        }
    }
}
