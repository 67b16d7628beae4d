internal import AlmanacHTTP
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The header fields of notes responses.
enum NotesHeaders {
    /// The headers by which every response names the state of the account that it shows.
    static func fields(of cursor: Cursor, updatedAt: Timestamp?) -> [(name: String, value: String)] {
        var fields = [("Almanac-Revision", "\(cursor.revision)"), ("Almanac-Cursor", "\(cursor)")]
        if let updatedAt { fields.append(("Last-Modified", updatedAt.httpDate)) }
        return fields.map { (name: $0.0, value: $0.1) }
    }

    /// The tag of a note: its revision, and the history that it counts in.
    static func tag(of note: Note, lineage: String?) -> String {
        "\(Cursor(revision: note.revision, lineage: lineage))"
    }

    /// The text that a client says it changed: its `If-Match` header.
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
    /// A response that only its user may keep, and nobody without asking again.
    static func privateNoCache(status: Int = 200, _ body: [UInt8]) -> Response {
        var response = Response(status: status, body: body)
        response.headers.append(("Cache-Control", "private, no-cache"))
        return response
    }

    /// A response to a change, which nobody keeps.
    static func noStore(status: Int = 200, _ body: [UInt8]) -> Response {
        var response = Response(status: status, body: body)
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
