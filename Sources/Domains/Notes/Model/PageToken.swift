internal import AlmanacForms
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The opaque start of the next page of a list: `list.43.k3f9.a5.n1`.
struct PageToken: Sendable, CustomStringConvertible {
    let form: Form
    /// The account state of the first page, which is also the client's state after the last page.
    let cursor: Cursor
    /// The last note of the previous page.
    let after: Place

    enum Form: String, Sendable {
        case list, manifest, newest, since, trash
    }

    /// The place of a note in any of the sort orders.
    struct Place: Sendable {
        /// The position in the list; in the trash, the time of the deletion in milliseconds since 1970.
        let position: String
        let revision: Int64
        let id: String
    }

    init(form: Form, cursor: Cursor, after: Place) {
        self.form = form
        self.cursor = cursor
        self.after = after
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 6, let form = Form(rawValue: String(parts[0])),
            let revision = Cursor.revision(parts[1]), Cursor.isLineage(parts[2]),
            parts[3].utf8.allSatisfy({ $0.isLetterOrDigit }), (1...200).contains(parts[3].utf8.count),
            let last = Cursor.revision(parts[4]), NoteID.isValid(String(parts[5]))
        else { return nil }
        if form == .trash, Cursor.revision(parts[3]) == nil { return nil }
        self.form = form
        cursor = Cursor(revision: revision, lineage: String(parts[2]))
        after = Place(position: String(parts[3]), revision: last, id: String(parts[5]))
    }

    /// The deletion time of the last note on a page of the trash.
    var deletedAt: Timestamp? {
        Int64(after.position).map { Timestamp(milliseconds: min($0, Timestamp.latest.milliseconds)) }
    }

    var description: String { "\(form.rawValue).\(cursor).\(after.position).\(after.revision).\(after.id)" }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (65...90).contains(self) || (97...122).contains(self) || (48...57).contains(self)
    }
}
