extension NotesStore {
    /// Removes a note in the trash permanently, with its history, here and on the server with the next sync.
    ///
    /// Another device's edit that arrives before that restores the note.
    public func remove(_ id: String) throws(NotesFailure) {
        try writing {
            guard let record = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            guard record.isInTrash else { throw NotesFailure.notInTrash(id) }
            try removeForGood(record)
        }
        announce([id])
    }

    /// Removes all notes in the trash permanently, like ``remove(_:)``. Returns their number.
    @discardableResult public func emptyTrash() throws(NotesFailure) -> Int {
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
