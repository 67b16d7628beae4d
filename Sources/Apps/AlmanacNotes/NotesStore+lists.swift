extension NotesStore {
    /// Returns the notes that match a query, without their bodies. By default the query selects the whole list.
    ///
    /// For pages, use a query with an offset and a limit. ``count(_:)`` returns the total number.
    public func summaries(_ query: NotesQuery = NotesQuery()) throws(NotesFailure) -> [StoredNote.Summary] {
        try reading { try SummaryTable(database: database).summaries(query) }
    }

    /// Returns one note of the list or the trash, without its body.
    public func summary(_ id: String) throws(NotesFailure) -> StoredNote.Summary? {
        try reading { try SummaryTable(database: database).find(id) }
    }

    /// Returns the number of notes that match a query, ignoring its offset and limit.
    public func count(_ query: NotesQuery = NotesQuery()) throws(NotesFailure) -> Int {
        try reading { try SummaryTable(database: database).count(query) }
    }

    /// Returns the tags of the notes in the list, sorted by bytes, with the number of notes for each.
    public func tags() throws(NotesFailure) -> [(tag: String, notes: Int)] { try reading { try table.tags() } }

    /// Counts the notes that would be lost with the file. If there are none, the app may delete the file without
    /// asking.
    ///
    /// ```swift
    /// let unsynced = try await store.unsynced()
    /// if unsynced.isEmpty || confirms("Lose these notes: \(unsynced)?") { try await session.signOut() }
    /// ```
    public func unsynced() throws(NotesFailure) -> UnsyncedNotes { try reading { try table.unsynced() } }
}
