internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension NotesStore {
    /// Returns the notes of the list in the user's order, pinned notes first.
    public func notes() throws(NotesFailure) -> [StoredNote] {
        try reading { try table.list(inTrash: false).inListOrder().map(StoredNote.init) }
    }

    /// Returns the notes in the trash, sorted by the latest edit.
    public func trash() throws(NotesFailure) -> [StoredNote] {
        try reading { try table.list(inTrash: true).map(StoredNote.init).sorted { $0.editedAt > $1.editedAt } }
    }

    /// Returns a note of the list or the trash.
    public func note(_ id: String) throws(NotesFailure) -> StoredNote? {
        try reading { try shown(id).map(StoredNote.init) }
    }

    /// Searches the list and returns the matching notes, best match first. An empty search matches no note.
    ///
    /// A note matches if its title, tags or body contain every search word, at least as a prefix of a word. A phrase
    /// such as `"quoted words"` matches whole words, `-word` and `-tag:work` exclude notes, and `or` separates
    /// alternatives. The terms `tag:work` and `tag:"two words"` match tags.
    ///
    /// A search ignores case, accents, vowel points, width and punctuation: `cafe` matches "Café". Any part of a text
    /// matches in scripts without spaces, such as Chinese and Thai, and so do emoji. The server and the notes page
    /// return the same result.
    public func search(_ words: String, limit: Int = 100) throws(NotesFailure) -> [StoredNote] {
        try reading { try table.search(words, limit: limit).map(StoredNote.init) }
    }

    /// Creates a note at the end of the list.
    @discardableResult public func create(
        title: String = "", body: String = "", tags: [String] = [], isPinned: Bool = false
    ) throws(NotesFailure) -> StoredNote {
        let text = try checked(StoredNote.Text(title: title, body: body, tags: tags, isPinned: isPinned))
        if let refusal = NoteTags.refusal(ofCount: text.tags.count) { throw .textRefused(refusal) }
        let time = milliseconds
        let record = NoteRecord(id: random.identifier(), text: text, createdAt: time, updatedAt: time)
        try writing { try table.save(record) }
        announce([record.id])
        return StoredNote(record)
    }

    /// Changes a note by applying a closure to its newest text, so that no change from elsewhere is overwritten.
    ///
    /// ```swift
    /// try await store.edit(id) { $0.body += "\nbread" }
    /// ```
    @discardableResult public func edit(_ id: String, _ change: @Sendable (inout StoredNote.Text) -> Void)
        throws(NotesFailure) -> StoredNote
    {
        try changing(id) { record in
            var text = record.text
            change(&text)
            record.edit(try checked(text, insteadOf: record.text), at: milliseconds)
        }
    }

    /// Changes parts of a note. Nil leaves a part unchanged.
    ///
    /// - Parameter read: the note as read before the user's change, the base of a merge with changes since then.
    @discardableResult public func edit(
        _ read: StoredNote, title: String? = nil, body: String? = nil, tags: [String]? = nil, isPinned: Bool? = nil
    ) throws(NotesFailure) -> StoredNote {
        try edit(read.id) { text in
            let mine = StoredNote.Text(
                title: title ?? read.title, body: body ?? read.body, tags: tags ?? read.tags,
                isPinned: isPinned ?? read.isPinned)
            text = .merged(base: read.text, theirs: text, mine: mine)
        }
    }

    /// Adds and removes tags. A note in the trash stays there.
    @discardableResult
    public func tag(_ id: String, add: [String] = [], remove: [String] = []) throws(NotesFailure) -> StoredNote {
        try changing(id) { record in
            var text = record.text
            text.tags = NoteTags.without(text.tags, remove) + add
            if !add.isEmpty, let refusal = NoteTags.refusal(ofCount: text.tags.count) {
                throw NotesFailure.textRefused(refusal)
            }
            record.edit(try checked(text, insteadOf: record.text), at: milliseconds)
        }
    }

    /// Pins or unpins a note. A note in the trash stays there.
    @discardableResult public func pin(_ id: String, _ isPinned: Bool = true) throws(NotesFailure) -> StoredNote {
        try edit(id) { $0.isPinned = isPinned }
    }

    /// Moves a note after another note, or to the first position for nil. A note in the trash is not changed.
    public func move(_ id: String, after other: String?) throws(NotesFailure) {
        try changing(id) { record in
            if let other {
                guard other != id, try shown(other) != nil else { throw NotesFailure.noSuchNote(other) }
            }
            record.move(after: other, number: try table.nextMoveNumber())
        }
    }

    /// Moves a note to the trash and returns it. Another device's unseen edit restores the note.
    @discardableResult public func delete(_ id: String) throws(NotesFailure) -> StoredNote {
        try changing(id) { $0.moveToTrash() }
    }

    /// Restores a note from the trash. ``restore(_:to:)`` restores a past text.
    public func restore(_ id: String) throws(NotesFailure) { try changing(id) { $0.takeOutOfTrash() } }

    /// Replaces a note that the server rejects with a new note of the same text.
    @discardableResult public func keepAsNew(_ id: String) throws(NotesFailure) -> StoredNote {
        let time = milliseconds
        let record = try writing {
            guard let old = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            let new = NoteRecord(id: random.identifier(), text: old.text, createdAt: old.createdAt, updatedAt: time)
            try table.remove(id)
            try table.save(new)
            return new
        }
        announce([id, record.id])
        return StoredNote(record)
    }

    /// Discards a rejected change: resets the note to the server's state, or removes it if the server does not have it.
    public func discard(_ id: String) throws(NotesFailure) {
        try writing {
            guard var record = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            guard record.problem != nil else { return }
            if record.discardChange() { try table.save(record) } else { try table.remove(id) }
        }
        announce([id])
    }

    /// Returns a note of the list or the trash.
    func shown(_ id: String) throws -> NoteRecord? { try table.find(id).flatMap { $0.place == .removed ? nil : $0 } }

    var milliseconds: Int64 { Int64(clock.date.timeIntervalSince1970 * 1000) }

    func checked(
        _ text: StoredNote.Text, insteadOf old: StoredNote.Text = StoredNote.Text()
    ) throws(NotesFailure) -> StoredNote.Text {
        guard text.isStorable else { throw .textRefused("it contains U+0000") }
        // Existing tags came from the server or a merge, so check only the new tags.
        if let refusal = NoteTags.refusal(NoteTags.without(text.tags, old.tags)) { throw .textRefused(refusal) }
        return text
    }

    @discardableResult
    func changing(_ id: String, _ change: (inout NoteRecord) throws -> Void) throws(NotesFailure) -> StoredNote {
        let (record, isChanged) = try writing {
            guard let before = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            var record = before
            try change(&record)
            // An unchanged note is not announced, so that an editor's own exchange does not trigger another one.
            guard record != before else { return (record, false) }
            try table.save(record)
            return (record, true)
        }
        if isChanged { announce([id]) }
        return StoredNote(record)
    }

    func reading<Result>(_ body: () throws -> Result) throws(NotesFailure) -> Result {
        do {
            return try body()
        } catch {
            throw NotesFailure(error)
        }
    }

    func writing<Result>(_ body: () throws -> Result) throws(NotesFailure) -> Result {
        do {
            return try database.transaction(body)
        } catch {
            throw NotesFailure(error)
        }
    }
}

extension StoredNote {
    init(_ record: NoteRecord) {
        id = record.id
        text = record.text
        createdAt = Date(milliseconds: record.createdAt)
        editedAt = Date(milliseconds: record.updatedAt)
        isInTrash = record.isInTrash
        revision = record.shadow?.cursor.revision
        position = record.position
        status = record.status
    }
}
