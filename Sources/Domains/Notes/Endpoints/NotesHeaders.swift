internal import AlmanacHTTP
internal import AlmanacRevisions
internal import AlmanacTimestamps

enum NotesHeaders {
    /// Returns the headers that name the account state a response shows.
    static func fields(of cursor: Cursor, updatedAt: Timestamp?) -> [(name: String, value: String)] {
        var fields = [("Almanac-Revision", "\(cursor.revision)"), ("Almanac-Cursor", "\(cursor)")]
        if let updatedAt { fields.append(("Last-Modified", updatedAt.httpDate)) }
        return fields.map { (name: $0.0, value: $0.1) }
    }

    /// Returns the ETag of a note: its revision and the lineage.
    static func tag(of note: Note, lineage: String?) -> String {
        "\(Cursor(revision: note.revision, lineage: lineage))"
    }

    /// Reads the base text of a client's edit from `If-Match`.
    static func base(_ headers: Headers) throws(Problem) -> Action.Base? {
        switch try headers.entityTags("If-Match") {
        case nil: return nil
        case .any: return .current
        case .listed(let tags):
            guard tags.count == 1, let cursor = Cursor(tags[0]) else {
                throw Problem(
                    .invalidHeader, "If-Match must be the ETag of the note that you changed, such as \"43.k3f9\"")
            }
            return .revision(cursor)
        }
    }
}

extension Response {
    /// Returns a response for the user's own cache only, which must revalidate it before each use.
    static func privateNoCache(status: Int = 200, _ body: [UInt8]) -> Response {
        var response = Response(status: status, body: body)
        response.headers.append(("Cache-Control", "private, no-cache"))
        return response
    }

    /// Returns a response to a change, which no cache may store.
    static func noStore(status: Int = 200, _ body: [UInt8]) -> Response {
        var response = Response(status: status, body: body)
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
