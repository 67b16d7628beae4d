extension NotesStore {
    /// Removes a note of the trash for good, with its past, here and with the next sync on the server.
    ///
    /// An edit from elsewhere that comes here before that brings the note back.
    public func remove(_ id: String) throws(NotesFailure) {
        try writing {
            guard let record = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            guard record.isInTrash else { throw NotesFailure.notInTrash(id) }
            try removeForGood(record)
        }
        announce([id])
    }

    /// Removes all notes of the trash for good, as ``remove(_:)`` does.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func emptyTrash() throws(NotesFailure) -> Int {
        let ids = try writing {
            let records = try table.list(inTrash: true)
            for record in records { try removeForGood(record) }
            return Set(records.map(\.id))
        }
        announce(ids)
        return ids.count
    }

    private func removeForGood(_ before: NoteRecord) throws {
        var record = before
        switch record.removeForGood() {
        case .remove: try table.remove(record.id)
        case .keep: try table.save(record)
        }
    }
}
