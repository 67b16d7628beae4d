internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// One page of an account's notes.
struct NotesPage {
    let account: Account?
    /// The state that the page, with those before it, brings a client to.
    let cursor: Cursor
    /// In the order that was asked for.
    let notes: [Note]
    /// The notes that are in the trash or gone.
    let gone: [String]
    /// Where the next page begins; nil after the last.
    let next: PageToken?
    /// Whether anything was left out.
    let hasMore: Bool
}

/// The keys of a page, cut to the number and the bytes that one answer may have.
struct PageKeys {
    private(set) var places: [PageToken.Place] = []
    private(set) var gone: [String] = []
    private(set) var present: [String] = []
    private(set) var hasMore = false

    /// The texts in one answer, in bytes; a single note may have more.
    static let mostBytes = 2 << 20

    /// - Parameters:
    ///   - rows: one more than `limit` where there are more.
    ///   - countsBytes: whether the answer will hold the texts.
    init(_ rows: Rows, limit: Int, countsBytes: Bool = true) throws(PostgresFailure) {
        var bytes = 0
        for row in rows {
            let isGone = try row.boolean("gone")
            let size = isGone || !countsBytes ? 0 : try row.integer("size")
            if places.count == limit || !places.isEmpty && bytes + size > Self.mostBytes {
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

    /// The token of the page behind this one, if there is one.
    func next(_ form: PageToken.Form, _ cursor: Cursor) -> PageToken? {
        hasMore ? places.last.map { PageToken(form: form, cursor: cursor, after: $0) } : nil
    }
}
