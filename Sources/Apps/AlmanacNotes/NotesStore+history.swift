internal import AlmanacClientRuntime
internal import AlmanacRevisions

// The server's history of a note.
extension NotesStore {
    /// Fetches the history of a note, newest first. A note that the server does not have yet has no history.
    ///
    /// - Parameters:
    ///   - page: the previous page, to fetch the next older page; nil fetches the newest page.
    ///   - limit: the maximum number of actions. A page with long texts may contain fewer.
    public func history(
        of id: String, after page: StoredNote.History? = nil, limit: Int = 100
    ) async throws(NotesSyncFailure) -> StoredNote.History {
        let none = StoredNote.History(revisions: [], next: nil)
        guard try isOnServer(id) else { return none }
        var query = [(name: "limit", value: "\(max(1, limit))")]
        if let page {
            guard let next = page.next else { return none }
            query.append((name: "before", value: "\(next)"))
        }
        let response = try await fetch("notes/\(id)/history", query)
        return try ServerHistory(response.body).history(
            lineage: Cursor(response.headers["Almanac-Cursor"] ?? "")?.lineage)
    }

    /// Fetches a note's text after a past action.
    public func text(of id: String, at past: StoredNote.PastRevision) async throws(NotesSyncFailure) -> StoredNote.Text
    {
        let response = try await fetch("notes/\(id)", [(name: "revision", value: past.cursor.description)])
        let text = try ServerNote(response.body).text
        guard text.isStorable else { throw .unexpectedResponse("a note cannot be stored") }
        return text
    }

    /// Restores a note's past title and body as a new edit. The history stays complete, a note in the trash returns to
    /// the list, and tags and pin do not change.
    ///
    /// - Throws: ``NotesSyncFailure`` if the text could not be fetched, ``NotesFailure`` if it could not be stored. In
    ///   both cases the note is unchanged.
    @discardableResult public func restore(_ id: String, to past: StoredNote.PastRevision) async throws -> StoredNote {
        let past = try await text(of: id, at: past)
        return try changing(id) { record in
            record.takeOutOfTrash()
            var text = record.text
            (text.title, text.body) = (past.title, past.body)
            record.edit(text, at: milliseconds)
        }
    }

    private func isOnServer(_ id: String) throws(NotesSyncFailure) -> Bool {
        do {
            return try table.find(id)?.shadow != nil
        } catch {
            throw .file(NotesFileFailure(error))
        }
    }

    private func fetch(
        _ path: String, _ query: [(name: String, value: String)]
    ) async throws(NotesSyncFailure) -> TransportResponse<[UInt8]> {
        guard let server else { throw .noServer }
        do throws(NotesSyncFailure) {
            let response = try await server.send(try server.request("GET", path, query: query))
            guard response.status == 200 else { throw server.failure(of: response) }
            return response
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw error
        }
    }
}
