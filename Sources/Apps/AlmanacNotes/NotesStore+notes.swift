internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension NotesStore {
    /// The notes in the order of the list, the pinned ones first.
    public func notes() throws(NotesFailure) -> [StoredNote] {
        try reading { try table.list(inTrash: false).inListOrder().map(StoredNote.init) }
    }

    /// The notes in the trash, the latest change first.
    public func trash() throws(NotesFailure) -> [StoredNote] {
        try reading { try table.list(inTrash: true).map(StoredNote.init).sorted { $0.updatedAt > $1.updatedAt } }
    }

    /// A note of the list or the trash.
    public func note(_ id: String) throws(NotesFailure) -> StoredNote? {
        try reading { try shown(id).map(StoredNote.init) }
    }

    /// The notes of the list that a search finds, the best first; none where nothing is searched for.
    ///
    /// Every word must be in a note, or begin a word of it, in its title, tags or body. `"quoted words"` are whole and
    /// in a row, `-word` must not be there, nor `-tag:work`; `tag:work` and `tag:"two words"` are tags that it has, and
    /// `or` stands between alternatives.
    ///
    /// Case, accents, vowel points, width and punctuation make no difference, as in `cafe` for "Café". In scripts
    /// without spaces, such as Chinese, Japanese and Thai, any part of a text is found, and so are emoji. The server
    /// and the notes page find the same.
    public func search(_ words: String, limit: Int = 100) throws(NotesFailure) -> [StoredNote] {
        try reading { try table.search(words, limit: limit).map(StoredNote.init) }
    }

    /// Makes a note at the end of the list.
    @discardableResult
    public func create(
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

    /// Changes a note by what a closure does to its newest text, so that nothing that came in meanwhile is overwritten.
    ///
    /// ```swift
    /// try await store.edit(id) { $0.body += "\nbread" }
    /// ```
    @discardableResult
    public func edit(_ id: String, _ change: @Sendable (inout StoredNote.Text) -> Void) throws(NotesFailure)
        -> StoredNote
    {
        try changing(id) { record in
            var text = record.text
            change(&text)
            record.edit(try checked(text, insteadOf: record.text), at: milliseconds)
        }
    }

    /// Gives a note new texts; a nil one stays.
    ///
    /// - Parameter read: the note as it was read before its user changed it. What came in since is merged with the
    ///   change.
    @discardableResult
    public func edit(
        _ read: StoredNote, title: String? = nil, body: String? = nil, tags: [String]? = nil, isPinned: Bool? = nil
    ) throws(NotesFailure) -> StoredNote {
        try edit(read.id) { text in
            let mine = StoredNote.Text(
                title: title ?? read.title, body: body ?? read.body, tags: tags ?? read.tags,
                isPinned: isPinned ?? read.isPinned)
            text = .merged(base: read.text, theirs: text, mine: mine)
        }
    }

    /// Files a note under tags, and takes others off it. One in the trash stays there.
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

    /// Puts a note before all that are not pinned, or back among them. One in the trash stays there.
    @discardableResult
    public func pin(_ id: String, _ isPinned: Bool = true) throws(NotesFailure) -> StoredNote {
        try edit(id) { $0.isPinned = isPinned }
    }

    /// Moves a note behind another one, or with nil to the first place. One in the trash stays as it is.
    public func move(_ id: String, after other: String?) throws(NotesFailure) {
        try changing(id) { record in
            if let other {
                guard other != id, try shown(other) != nil else { throw NotesFailure.noSuchNote(other) }
            }
            record.move(after: other, number: try table.nextMoveNumber())
        }
    }

    /// Puts a note into the trash. An edit from elsewhere that was not seen here takes it out again.
    ///
    /// - Returns: the note as it went there.
    @discardableResult
    public func delete(_ id: String) throws(NotesFailure) -> StoredNote {
        try changing(id) { $0.moveToTrash() }
    }

    /// Takes a note out of the trash. ``restore(_:to:)`` brings a past text back.
    public func restore(_ id: String) throws(NotesFailure) {
        try changing(id) { $0.takeOutOfTrash() }
    }

    /// Makes a new note of one that the server refuses, with its text, and lets go of the old one.
    @discardableResult
    public func keepAsNew(_ id: String) throws(NotesFailure) -> StoredNote {
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

    /// Lets go of a change that the server refuses: the note is again what the server has, or gone if that has none.
    public func discard(_ id: String) throws(NotesFailure) {
        try writing {
            guard var record = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            guard record.problem != nil else { return }
            if record.discardChange() { try table.save(record) } else { try table.remove(id) }
        }
        announce([id])
    }

    /// A note as its user sees it.
    func shown(_ id: String) throws -> NoteRecord? {
        try table.find(id).flatMap { $0.place == .removed ? nil : $0 }
    }

    var milliseconds: Int64 { Int64(clock.date.timeIntervalSince1970 * 1000) }

    func checked(
        _ text: StoredNote.Text, insteadOf old: StoredNote.Text = StoredNote.Text()
    ) throws(NotesFailure) -> StoredNote.Text {
        guard text.canBeKept else { throw .textRefused("it holds U+0000") }
        // Those that it has came from the server, or were merged.
        if let refusal = NoteTags.refusal(NoteTags.without(text.tags, old.tags)) { throw .textRefused(refusal) }
        return text
    }

    @discardableResult
    func changing(_ id: String, _ change: (inout NoteRecord) throws -> Void) throws(NotesFailure) -> StoredNote {
        let (record, isChanged) = try writing {
            guard let before = try shown(id) else { throw NotesFailure.noSuchNote(id) }
            var record = before
            try change(&record)
            // An editor that looks for changes is not to wake itself.
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
        updatedAt = Date(milliseconds: record.updatedAt)
        isInTrash = record.isInTrash
        revision = record.shadow?.cursor.revision
        position = record.position
        status = record.status
    }
}
