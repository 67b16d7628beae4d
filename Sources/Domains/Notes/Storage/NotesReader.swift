internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// Reads an account's notes inside a transaction with one snapshot.
struct NotesReader {
    let account: Account
    let connection: Connection

    init(_ account: Account, on connection: Connection) {
        self.account = account
        self.connection = connection
    }

    /// Returns the notes in the order of the list.
    func list(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try connection.run(
            ReadStatements.list(of: account, after: token?.after.position ?? "", limit: limit))
        return try page(PageKeys(keys, limit: limit), .list, token)
    }

    /// Returns the notes, the latest change first.
    func newest(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try connection.run(
            ReadStatements.newest(
                of: account, before: token?.after.revision ?? .max, id: token?.after.id ?? "", limit: limit))
        return try page(PageKeys(keys, limit: limit), .newest, token)
    }

    /// Returns the notes in the trash, the latest deletion first.
    func trash(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try connection.run(
            ReadStatements.trash(
                of: account, before: token?.deletedAt ?? .latest, id: token?.after.id ?? "", limit: limit))
        return try page(PageKeys(keys, limit: limit), .trash, token)
    }

    func changes(since revision: Int64, limit: Int) throws -> NotesPage {
        // The id "~" sorts after every note id, so the whole revision counts as seen.
        try changes(after: PageToken.Place(position: "", revision: revision, id: "~"), limit: limit)
    }

    func changes(after place: PageToken.Place, limit: Int) throws -> NotesPage {
        let keys = try connection.run(
            ReadStatements.changes(of: account, after: place.revision, id: place.id, limit: limit))
        return try page(changes: PageKeys(keys, limit: limit))
    }

    func changes(since time: Timestamp, limit: Int) throws -> NotesPage {
        let keys = try connection.run(ReadStatements.changes(of: account, after: time, limit: limit))
        return try page(changes: PageKeys(keys, limit: limit))
    }

    /// Returns the notes that match a search, the best match first.
    func search(_ search: NotesSearch, limit: Int) throws -> NotesPage {
        let rows = try connection.run(ReadStatements.notes(search, in: account, limit: limit))
        let keys = try PageKeys(rows, limit: limit)
        return NotesPage(
            account: account, cursor: account.cursor, notes: try notes(keys.present), gone: [], next: nil,
            hasMore: keys.hasMore)
    }

    /// Returns each note's revision and the SHA-256 of its title, a zero byte, and its body.
    func manifest(after token: PageToken?, limit: Int) throws -> Manifest {
        let rows = try connection.run(
            ReadStatements.list(of: account, after: token?.after.position ?? "", limit: limit))
        let keys = try PageKeys(rows, limit: limit, countsBytes: false)
        var found: [String: Manifest.Entry] = [:]
        for row in try connection.run(ReadStatements.hashes(of: keys.present, in: account)) {
            let id = try row.text("id")
            found[id] = Manifest.Entry(id: id, revision: try row.bigint("revision"), hash: try row.text("hash"))
        }
        let cursor = token?.cursor ?? account.cursor
        return Manifest(
            cursor: cursor, entries: keys.present.compactMap { found[$0] }, next: keys.next(.manifest, cursor))
    }

    /// Returns a note from the list or the trash; nil if it never existed or was purged.
    func note(_ id: String) throws -> Note? {
        guard let note = try row(of: id), !note.isPurged else { return nil }
        return note
    }

    func text(of note: Note, at revision: Cursor) throws -> NoteText {
        let isHistorical = revision.revision < note.textRevision
        let historical =
            isHistorical
            ? try NoteStatements.text(of: note.id, at: revision.revision, in: account, on: connection) : .none
        return try note.text(at: revision, in: account, historical: historical)
    }

    /// Returns a note's metadata at a revision; nil if it was thinned out.
    func metadata(of note: Note, at revision: Int64) throws -> NoteMetadata? {
        if revision >= note.revision { return note.metadata }
        return try NoteStatements.metadata(of: note.id, at: revision, in: account, on: connection)
    }

    /// Reads the history of a note before a revision, the newest first.
    ///
    /// - Returns: the value of `before` for the next page; nil if there is none.
    func history(
        of id: String, before: Int64, limit: Int, _ body: (NoteRevision) throws -> Void
    ) throws -> Int64? {
        let sizes = try connection.run(
            ReadStatements.historySizes(of: id, in: account, before: before, limit: limit))
        var bytes = 0
        var oldest = before
        for row in sizes.prefix(limit) {
            bytes += try row.integer("size")
            if oldest != before, bytes > PageKeys.maxBytes { break }
            oldest = try row.bigint("revision")
        }
        let rows = try connection.run(ReadStatements.history(of: id, in: account, oldest..<before))
        // An action without metadata of its own left the metadata of the action before it.
        var metadata = try NoteStatements.metadata(of: id, at: oldest - 1, in: account, on: connection)
        let metadataByRow = try rows.reversed().map { row in
            metadata = try NoteMetadata.written(in: row) ?? metadata
            return metadata
        }
        for (row, metadata) in zip(rows, metadataByRow.reversed()) { try body(NoteRevision(row, metadata)) }
        return sizes.count > rows.count ? oldest : nil
    }

    /// Reads every note, tombstones included, one at a time, so that only one note's texts are in memory.
    func eachNote(_ body: (Note) throws -> Void) throws {
        for id in try connection.run(ReadStatements.ids(of: account)) {
            if let note = try row(of: id.text("id")) { try body(note) }
        }
    }

    /// Reads a note's whole history page by page, the newest first.
    func eachRevision(of note: Note, _ body: (NoteRevision) throws -> Void) throws {
        var before: Int64? = .max
        while let next = before { before = try history(of: note.id, before: next, limit: 1000, body) }
    }

    /// Reads all stored actions page by page, the earliest first.
    func eachAction(_ body: (RecordedAction) throws -> Void) throws {
        var last: String?
        repeat {
            let rows = try connection.run(ReadStatements.actions(of: account, after: last, limit: Self.actionsPerRead))
            last = nil
            for row in rows {
                let action = try RecordedAction(row)
                if rows.count == Self.actionsPerRead { last = action.id }
                try body(action)
            }
        } while last != nil
    }

    private static let actionsPerRead = 5000

    private func row(of id: String) throws -> Note? {
        try connection.run(NoteStatements.find(id, in: account)).first.map { try Note($0) }
    }

    /// Every page has the cursor of the first, so the client fetches later changes with `since`.
    private func page(_ keys: PageKeys, _ form: PageToken.Form, _ token: PageToken?) throws -> NotesPage {
        let cursor = token?.cursor ?? account.cursor
        return NotesPage(
            account: account, cursor: cursor, notes: try notes(keys.present), gone: [],
            next: keys.next(form, cursor), hasMore: keys.hasMore)
    }

    private func page(changes keys: PageKeys) throws -> NotesPage {
        var cursor = account.cursor
        if keys.hasMore, let last = keys.places.last {
            // Several notes may share the last revision, so only the revision before it is sure to be complete.
            cursor = Cursor(revision: last.revision - 1, lineage: account.lineage)
        }
        let changed = try notes(keys.present).sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        return NotesPage(
            account: account, cursor: cursor, notes: changed, gone: keys.gone,
            next: keys.next(.since, account.cursor), hasMore: keys.hasMore)
    }

    private func notes(_ ids: [String]) throws -> [Note] {
        var found: [String: Note] = [:]
        for row in try connection.run(ReadStatements.notes(ids, of: account)) {
            let note = try Note(row)
            found[note.id] = note
        }
        return ids.compactMap { found[$0] }
    }
}

struct NotesPage {
    let account: Account?
    /// The client's state after this page and those before it.
    let cursor: Cursor
    /// The notes in the requested order.
    let notes: [Note]
    /// The ids of notes that are in the trash or purged.
    let gone: [String]
    /// The token of the next page; nil after the last.
    let next: PageToken?
    /// True if the page doesn't contain everything.
    let hasMore: Bool
}

extension NotesPage {
    /// Returns the bytes needed to read and write a page: four copies of its texts at once, two of them with escapes.
    static func memory(of account: Account) -> Int { 12 * Int(min(account.bytes, Int64(PageKeys.maxBytes))) }
}

/// A page of revisions and hashes, which a client compares with its own notes.
struct Manifest {
    let cursor: Cursor
    let entries: [Entry]
    /// The token of the next page; nil after the last.
    let next: PageToken?

    struct Entry {
        let id: String
        let revision: Int64
        let hash: String
    }
}

/// The keys of a page, cut to the page's limits on notes and bytes.
private struct PageKeys {
    private(set) var places: [PageToken.Place] = []
    private(set) var gone: [String] = []
    private(set) var present: [String] = []
    private(set) var hasMore = false

    /// The limit on the texts on one page, in bytes; a single note may exceed it.
    static let maxBytes = 2 << 20

    /// - Parameters:
    ///   - rows: has one row more than `limit` if another page follows.
    ///   - countsBytes: true if the page will contain the texts.
    init(_ rows: Rows, limit: Int, countsBytes: Bool = true) throws(PostgresFailure) {
        var bytes = 0
        for row in rows {
            let isGone = try row.boolean("gone")
            let size = isGone || !countsBytes ? 0 : try row.integer("size")
            if places.count == limit || !places.isEmpty && bytes + size > Self.maxBytes {
                hasMore = true
                return
            }
            bytes += size
            let id = try row.text("id")
            places.append(
                PageToken.Place(position: try row.text("position"), revision: try row.bigint("revision"), id: id))
            if isGone { gone.append(id) } else { present.append(id) }
        }
    }

    /// Returns the token of the next page, if there is one.
    func next(_ form: PageToken.Form, _ cursor: Cursor) -> PageToken? {
        hasMore ? places.last.map { PageToken(form: form, cursor: cursor, after: $0) } : nil
    }
}
