internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The query results for lists, read from an index without bodies.
struct SummaryTable {
    let database: SQLiteDatabase

    func summaries(_ query: NotesQuery) throws -> [StoredNote.Summary] {
        let place = SQLiteValue.integer(query.storedPlace.rawValue)
        let (offset, limit) = (Int64(max(0, query.offset)), query.limit.map { Int64(max(0, $0)) })
        let wanted = try SearchText(query.words, tags: query.tags)
        let tags = SQLiteValue.text(try NoteTags.stored(wanted.tags))
        if !wanted.match.isEmpty {
            return try read(
                Self.search, place, .integer(limit ?? 100), .integer(offset), .text(wanted.match), .text(wanted.levels)
            ).map(\.summary)
        }
        // In SQLite a negative limit means no limit.
        guard query.order == .byHand, query.place == .list else {
            if limit != nil {
                return try read(Self.latestFirst, place, .integer(limit ?? -1), .integer(offset), tags).map(\.summary)
            }
            // SQLite needs twice as long to sort all rows.
            let all = try read(Self.byHand, place, .integer(-1), .integer(0), tags).sorted {
                ($0.summary.editedAt, $0.number) > ($1.summary.editedAt, $1.number)
            }
            let list = query.place == .list ? all.pinnedFirst() : all
            return list.dropFirst(Int(clamping: offset)).map(\.summary)
        }
        guard try database.run(Self.anyMove).isEmpty else {
            // A pending move may depend on any other note, so apply the moves to the complete list.
            let all = try read(Self.inServersOrder, place).inListOrder()
            let list = all.filter { NoteTags.without(wanted.tags, $0.summary.tags).isEmpty }
            return list.dropFirst(Int(clamping: offset)).prefix(Int(clamping: limit ?? .max)).map(\.summary)
        }
        return try read(Self.byHand, place, .integer(limit ?? -1), .integer(offset), tags).map(\.summary)
    }

    func find(_ id: String) throws -> StoredNote.Summary? { try read(Self.find, .text(id)).first?.summary }

    func count(_ query: NotesQuery) throws -> Int {
        let place = SQLiteValue.integer(query.storedPlace.rawValue)
        let wanted = try SearchText(query.words, tags: query.tags)
        let tags = SQLiteValue.text(try NoteTags.stored(wanted.tags))
        let rows =
            wanted.match.isEmpty
            ? try database.run(Self.count, place, tags) : try database.run(Self.countFound, place, .text(wanted.match))
        return Int(try rows.first?.requiredNumber("count") ?? 0)
    }

    private struct Row: ListedNote {
        let summary: StoredNote.Summary
        let number: Int64
        let pendingMove: NoteRecord.PendingMove?

        var id: String { summary.id }
        var isPinned: Bool { summary.isPinned }
    }

    private func read(_ statement: SQLiteStatement, _ values: SQLiteValue...) throws -> [Row] {
        try database.run(statement, with: values).map(row)
    }

    private func row(_ row: SQLiteRow) throws -> Row {
        var move: NoteRecord.PendingMove?
        if let number = try row.number("wish_number") {
            move = NoteRecord.PendingMove(number: number, after: try row.text("wish_after"))
        }
        return Row(
            summary: StoredNote.Summary(
                id: try row.requiredText("id"), title: try row.requiredText("title"),
                excerpt: try row.requiredText("excerpt"), tags: try NoteTags.read(try row.text("tags")),
                isPinned: try row.boolean("pinned"),
                createdAt: Date(milliseconds: try row.requiredNumber("created_at")),
                editedAt: Date(milliseconds: try row.requiredNumber("updated_at")),
                isInTrash: try row.boolean("in_trash"), status: try status(row)),
            number: try row.requiredNumber("number"), pendingMove: move)
    }

    private func status(_ row: SQLiteRow) throws -> StoredNote.Status {
        if let type = try row.text("problem_type") {
            return .needsAttention(StoredNote.Problem(type: type, detail: try row.text("problem_detail") ?? ""))
        }
        let isOnServer = try !row.boolean("is_dirty") && row.number("shadow_revision") != nil
        return isOnServer ? .onServer : .onThisDevice
    }
}

extension SummaryTable {
    /// The columns of the list index.
    private static let columns = """
        n.id, n.title, n.excerpt, n.created_at, n.updated_at, n.in_trash, n.is_dirty, n.shadow_revision, n.problem_type,
            n.problem_detail, n.wish_number, n.wish_after, n.number, n.tags, n.pinned
        """

    private static let inServersOrder = SQLiteStatement(
        """
        -- name: summaries_in_servers_order
        select \(columns) from notes n where n.in_trash = ?1 order by n.position is null, n.position, n.number
        """)

    private static let byHand = SQLiteStatement(
        """
        -- name: summaries_by_hand
        select \(columns) from notes n where n.in_trash = ?1 and \(SearchText.hasTags("?4"))
        order by n.pinned desc, n.position is null, n.position, n.number limit ?2 offset ?3
        """)

    private static let latestFirst = SQLiteStatement(
        """
        -- name: summaries_latest_first
        select \(columns) from notes n where n.in_trash = ?1 and \(SearchText.hasTags("?4"))
        order by n.pinned and n.in_trash = 0 desc, n.updated_at desc, n.number desc limit ?2 offset ?3
        """)

    private static let search = SQLiteStatement(
        """
        -- name: summaries_search
        with \(SearchText.worth("?5"))
        select \(columns) from notes_search s join notes n on n.number = s.rowid left join worth w on w.number = s.rowid
        where s.notes_search match ?4 and n.in_trash = ?1
        order by \(SearchText.bestFirst) limit ?2 offset ?3
        """)

    private static let find = SQLiteStatement(
        """
        -- name: summary_find
        select \(columns) from notes n where n.id = ?1 and n.in_trash < 2
        """)

    private static let anyMove = SQLiteStatement(
        """
        -- name: summaries_any_move
        select id from notes where wish_number is not null limit 1
        """)

    private static let count = SQLiteStatement(
        """
        -- name: summaries_count
        select count(*) as count from notes n where n.in_trash = ?1 and \(SearchText.hasTags("?2"))
        """)

    private static let countFound = SQLiteStatement(
        """
        -- name: summaries_count_found
        select count(*) as count from notes_search s join notes n on n.number = s.rowid
        where s.notes_search match ?2 and n.in_trash = ?1
        """)
}

extension NotesQuery {
    fileprivate var storedPlace: NoteRecord.Place { place == .list ? .list : .trash }
}

extension Date {
    /// - Parameter milliseconds: the time since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
