internal import AlmanacClientRuntime
internal import AlmanacRevisions

// What the server keeps of a note's past.
extension NotesStore {
    /// Asks the server for what was done to a note, the latest first; of a note that it does not know yet there is
    /// nothing.
    ///
    /// - Parameters:
    ///   - page: what was got so far, for the older part; nil for the latest.
    ///   - limit: the most that one answer holds. One with long texts may hold less.
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
        let response = try await ask("notes/\(id)/history", query)
        return try ServerHistory(response.body).history(
            lineage: Cursor(response.headers["Almanac-Cursor"] ?? "")?.lineage)
    }

    /// Asks the server for a note's text as it was after an action.
    public func text(
        of id: String, at past: StoredNote.PastRevision
    ) async throws(NotesSyncFailure) -> StoredNote.Text {
        let response = try await ask("notes/\(id)", [(name: "revision", value: past.cursor.description)])
        let text = try ServerNote(response.body).text
        guard text.canBeKept else { throw .unexpectedResponse("a note cannot be kept") }
        return text
    }

    /// Gives a note its past title and body again, as a new edit: nothing is taken out of its history, a note in the
    /// trash comes back, and its tags and its pin stay as they are.
    ///
    /// - Throws: ``NotesSyncFailure`` where the server did not give the text, ``NotesFailure`` where it could not be
    ///   stored. The note stays as it is then.
    @discardableResult
    public func restore(_ id: String, to past: StoredNote.PastRevision) async throws -> StoredNote {
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

    private func ask(
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
