internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// Reads an account's notes inside a transaction that sees one state of them.
struct NotesReader {
    let account: Account
    let connection: Connection

    /// The notes in the order of the list.
    func list(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try PageKeys(
            try connection.run(
                ReadStatements.list, .bigint(account.id), .text(token?.after.position ?? ""),
                .bigint(Int64(limit) + 1)),
            limit: limit)
        return try page(keys, .list, token)
    }

    /// The notes from the latest change back.
    func newest(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try PageKeys(
            try connection.run(
                ReadStatements.newest, .bigint(account.id), .bigint(token?.after.revision ?? .max),
                .text(token?.after.id ?? ""), .bigint(Int64(limit) + 1)),
            limit: limit)
        return try page(keys, .newest, token)
    }

    /// The notes in the trash, the latest deletion first.
    func trash(after token: PageToken?, limit: Int) throws -> NotesPage {
        let keys = try PageKeys(
            try connection.run(
                ReadStatements.trash, .bigint(account.id), .timestamp(token?.deletedAt ?? .latest),
                .text(token?.after.id ?? ""), .bigint(Int64(limit) + 1)),
            limit: limit)
        return try page(keys, .trash, token)
    }

    /// What changed after a revision.
    func changes(since revision: Int64, limit: Int) throws -> NotesPage {
        // No id sorts behind this one, so all of that revision counts as seen.
        try changes(after: PageToken.Place(position: "", revision: revision, id: "~"), limit: limit)
    }

    func changes(after place: PageToken.Place, limit: Int) throws -> NotesPage {
        try page(
            changes: try connection.run(
                ReadStatements.since, .bigint(account.id), .bigint(place.revision), .text(place.id),
                .bigint(Int64(limit) + 1)),
            limit: limit)
    }

    /// What changed after a time.
    func changes(since time: Timestamp, limit: Int) throws -> NotesPage {
        try page(
            changes: try connection.run(
                ReadStatements.sinceTime, .bigint(account.id), .timestamp(time), .bigint(Int64(limit) + 1)),
            limit: limit)
    }

    /// The notes that a search finds, the best first.
    func search(_ query: SearchQuery, limit: Int) throws -> NotesPage {
        let keys = try PageKeys(
            try connection.run(
                ReadStatements.search, .bigint(account.id), .text(query.words), .text(query.prefixes),
                .bigint(Int64(limit) + 1)),
            limit: limit)
        return NotesPage(
            account: account, cursor: account.cursor, notes: try notes(keys.present), gone: [], next: nil,
            hasMore: keys.hasMore)
    }

    /// Each note's revision and the SHA-256 of its title, a zero byte, and its body.
    func manifest(
        after token: PageToken?, limit: Int
    ) throws -> (entries: [(id: String, revision: Int64, hash: String)], cursor: Cursor, next: PageToken?) {
        let keys = try PageKeys(
            try connection.run(
                ReadStatements.list, .bigint(account.id), .text(token?.after.position ?? ""),
                .bigint(Int64(limit) + 1)),
            limit: limit, countsBytes: false)
        let rows = try connection.run(
            ReadStatements.hashes, .bigint(account.id), .textArray(keys.present.map(\.self)))
        var found: [String: (id: String, revision: Int64, hash: String)] = [:]
        for row in rows {
            let id = try row.text("id")
            found[id] = (id, try row.bigint("revision"), try row.text("hash"))
        }
        let cursor = token?.cursor ?? account.cursor
        return (keys.present.compactMap { found[$0] }, cursor, keys.next(.manifest, cursor))
    }

    /// Pages of a list end at the state in which the first was read: what happened since is asked for with `since`.
    private func page(_ keys: PageKeys, _ form: PageToken.Form, _ token: PageToken?) throws -> NotesPage {
        let cursor = token?.cursor ?? account.cursor
        return NotesPage(
            account: account, cursor: cursor, notes: try notes(keys.present), gone: [],
            next: keys.next(form, cursor), hasMore: keys.hasMore)
    }

    private func page(changes rows: Rows, limit: Int) throws -> NotesPage {
        let keys = try PageKeys(rows, limit: limit)
        var cursor = account.cursor
        if keys.hasMore, let last = keys.places.last {
            // Several notes may share the last revision, so only the one before is sure to be complete.
            cursor = Cursor(revision: last.revision - 1, lineage: account.lineage)
        }
        let changed = try notes(keys.present).sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        return NotesPage(
            account: account, cursor: cursor, notes: changed, gone: keys.gone,
            next: keys.next(.since, account.cursor), hasMore: keys.hasMore)
    }

    private func notes(_ ids: [String]) throws -> [Note] {
        let rows = try connection.run(ReadStatements.texts, .bigint(account.id), .textArray(ids.map(\.self)))
        var found: [String: Note] = [:]
        for row in rows {
            let note = try Note(row)
            found[note.id] = note
        }
        return ids.compactMap { found[$0] }
    }
}

extension NotesService {
    /// Reads one state of a user's notes.
    ///
    /// - Parameter body: is given nil for a user who has never changed anything, with the cursor of that state.
    func read<Result>(
        for user: VerifiedUser, _ body: (NotesReader?, Cursor, Connection) throws -> Result
    ) throws -> Result {
        try pool.withConnection { connection in
            try connection.view(opening: [AccountStatements.find(user)]) { connection, rows in
                guard let account = try rows[0].first.map(Account.init) else {
                    return try body(nil, try AccountStatements.emptyCursor(on: connection), connection)
                }
                return try body(NotesReader(account: account, connection: connection), account.cursor, connection)
            }
        }
    }
}
