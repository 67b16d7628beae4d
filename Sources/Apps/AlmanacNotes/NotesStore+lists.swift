extension NotesStore {
    /// The notes of the list, or those that a query asks for, without their bodies.
    ///
    /// A page is a query with an offset and a limit; ``count(_:)`` says how many there are in all.
    public func summaries(_ query: NotesQuery = NotesQuery()) throws(NotesFailure) -> [StoredNote.Summary] {
        try reading { try SummaryTable(database: database).summaries(query) }
    }

    /// One note without its body, in the list or the trash.
    public func summary(_ id: String) throws(NotesFailure) -> StoredNote.Summary? {
        try reading { try SummaryTable(database: database).find(id) }
    }

    /// How many notes a query asks for, whatever its offset and limit.
    public func count(_ query: NotesQuery = NotesQuery()) throws(NotesFailure) -> Int {
        try reading { try SummaryTable(database: database).count(query) }
    }

    /// The tags of the notes in the list, sorted by their bytes, and how many notes have each.
    public func tags() throws(NotesFailure) -> [(tag: String, notes: Int)] {
        try reading { try table.tags() }
    }

    /// What is only here, and would be lost with the file: nothing of it is, when the user may be signed out and the
    /// file deleted without asking.
    ///
    /// ```swift
    /// let unsynced = try await store.unsynced()
    /// if unsynced.isEmpty || confirms("Lose these notes: \(unsynced)?") { try await session.signOut() }
    /// ```
    public func unsynced() throws(NotesFailure) -> UnsyncedNotes {
        try reading { try table.unsynced() }
    }
}
