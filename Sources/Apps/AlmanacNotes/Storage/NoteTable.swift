internal import AlmanacSQLite

/// The rows of notes in a file, read and written as whole records.
struct NoteTable {
    let database: SQLiteDatabase

    func find(_ id: String) throws -> NoteRecord? {
        try database.run(NoteStatements.find, .text(id)).first.map(record)
    }

    /// The notes in the trash or those in the list, in the order of the server's list, those unknown to it last.
    func list(inTrash: Bool) throws -> [NoteRecord] {
        try database.run(NoteStatements.list, SQLiteValue(inTrash)).map(record)
    }

    func all() throws -> [NoteRecord] {
        try database.run(NoteStatements.all).map(record)
    }

    /// Notes with something to send: what is on its way already first, in its order.
    func dirty(limit: Int) throws -> [NoteRecord] {
        try database.run(NoteStatements.dirty, .integer(Int64(limit))).map(record)
    }

    /// The notes whose words begin with all words of a text, the best first.
    func search(_ query: String, limit: Int) throws -> [NoteRecord] {
        try database.run(NoteStatements.search, .text(query), .integer(Int64(limit))).map(record)
    }

    func save(_ record: NoteRecord) throws {
        try database.run(NoteStatements.save, with: values(of: record) + [.integer(try version() + 1)])
        guard let flight = record.flight else {
            try database.run(NoteStatements.endFlight, .text(record.id), .text(""))
            return
        }
        try database.run(NoteStatements.endFlight, .text(record.id), .text(flight.actionID))
        try database.run(
            NoteStatements.beginFlight, .text(record.id), .text(flight.actionID), .text(flight.kind.rawValue),
            .text(flight.text.title), .text(flight.text.body), SQLiteValue(flight.after), SQLiteValue(flight.wishNumber)
        )
    }

    func remove(_ id: String) throws {
        try database.run(NoteStatements.endFlight, .text(id), .text(""))
        try database.run(NoteStatements.markRemoved, .text(id), .integer(try version() + 1))
        try database.run(NoteStatements.remove, .text(id))
    }

    /// Rises with every change of a note, by whatever process.
    func version() throws -> Int64 {
        try database.run(NoteStatements.version).first?.number("last") ?? 0
    }

    /// The notes that have changed after a version.
    func changed(after version: Int64) throws -> Set<String> {
        Set(try database.run(NoteStatements.changed, .integer(version)).map { try $0.requiredText("id") })
    }

    func newWishNumber() throws -> Int64 {
        try database.run(NoteStatements.lastWish).first?.number("last").map { $0 + 1 } ?? 1
    }

    private func values(of record: NoteRecord) -> [SQLiteValue] {
        [
            .text(record.id), .text(record.text.title), .text(record.text.body), SQLiteValue(record.isInTrash),
            SQLiteValue(record.position), .integer(record.createdAt), .integer(record.updatedAt),
            SQLiteValue(record.shadow?.text.title), SQLiteValue(record.shadow?.text.body),
            SQLiteValue(record.shadow?.cursor.revision), SQLiteValue(record.shadow?.cursor.lineage),
            SQLiteValue(record.isInServersTrash), .integer(record.heard), SQLiteValue(record.spellsBase),
            SQLiteValue(record.news?.cursor.revision), SQLiteValue(record.news?.cursor.lineage),
            SQLiteValue(record.news?.text?.title), SQLiteValue(record.news?.text?.body),
            SQLiteValue(record.news?.position),
            SQLiteValue(record.wish?.number), SQLiteValue(record.wish?.after), SQLiteValue(record.wish?.acknowledged),
            SQLiteValue(record.problem?.type), SQLiteValue(record.problem?.detail), SQLiteValue(record.isDirty),
        ]
    }

    private func record(_ row: SQLiteRow) throws -> NoteRecord {
        var record = NoteRecord(
            id: try row.requiredText("id"),
            text: NoteText(title: try row.requiredText("title"), body: try row.requiredText("body")),
            createdAt: try row.requiredNumber("created_at"), updatedAt: try row.requiredNumber("updated_at"))
        record.isInTrash = try row.boolean("in_trash")
        record.position = try row.text("position")
        if let text = try text(row, "shadow_title", "shadow_body"),
            let cursor = try cursor(row, "shadow_revision", "shadow_lineage")
        {
            record.shadow = NoteRecord.Shadow(text: text, cursor: cursor)
        }
        record.isInServersTrash = try row.boolean("in_servers_trash")
        record.heard = try row.requiredNumber("heard")
        record.spellsBase = try row.boolean("spells_base")
        if let cursor = try cursor(row, "news_revision", "news_lineage") {
            record.news = NoteRecord.News(
                cursor: cursor, text: try text(row, "news_title", "news_body"), position: try row.text("news_position"))
        }
        if let number = try row.number("wish_number") {
            record.wish = NoteRecord.Wish(
                number: number, after: try row.text("wish_after"), acknowledged: try row.number("wish_acknowledged"))
        }
        if let type = try row.text("problem_type") {
            record.problem = NoteProblem(type: type, detail: try row.text("problem_detail") ?? "")
        }
        record.flight = try flight(row)
        return record
    }

    private func flight(_ row: SQLiteRow) throws -> NoteRecord.Flight? {
        guard let actionID = try row.text("action_id") else { return nil }
        guard let kind = NoteRecord.Flight.Kind(rawValue: try row.requiredText("kind")) else {
            throw SQLiteFailure(.corrupt, "an action of an unknown kind")
        }
        return NoteRecord.Flight(
            actionID: actionID, kind: kind,
            text: NoteText(title: try row.requiredText("sent_title"), body: try row.requiredText("sent_body")),
            after: try row.text("after"), wishNumber: try row.number("sent_wish"))
    }

    private func text(_ row: SQLiteRow, _ title: String, _ body: String) throws -> NoteText? {
        guard let title = try row.text(title), let body = try row.text(body) else { return nil }
        return NoteText(title: title, body: body)
    }

    private func cursor(_ row: SQLiteRow, _ revision: String, _ lineage: String) throws -> Cursor? {
        guard let revision = try row.number(revision), let lineage = try row.text(lineage) else { return nil }
        return Cursor(revision: revision, lineage: lineage)
    }
}
