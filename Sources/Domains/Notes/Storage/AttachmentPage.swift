internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// A page of the attachments that changed since a revision.
struct AttachmentPage {
    /// The stored attachments, in the order of their revisions.
    let stored: [Attachment]
    /// The ids of the removed ones.
    let removed: [String]
    /// The position of the next page; nil after the last.
    let next: Cursor?

    /// Returns true if the account's history contains a cursor's state. The rows of all changes are kept.
    ///
    /// - Parameter account: nil for a user without an account, who has no cursor.
    static func reaches(_ cursor: Cursor, _ account: Account?) -> Bool {
        guard cursor.revision > 0 else { return true }
        guard let account else { return false }
        return (cursor.lineage ?? account.lineage) == account.lineage && cursor.revision <= account.revision
    }
}

extension NotesReader {
    func attachments(since revision: Int64, limit: Int) throws -> AttachmentPage {
        let rows = try connection.run(AttachmentStatements.changes(of: account, since: revision, limit: limit + 1))
        let changed = try rows.prefix(limit).map { try Attachment($0) }
        let last = rows.count > limit ? changed.last?.revision : nil
        return AttachmentPage(
            stored: changed.filter { !$0.isRemoved }, removed: changed.filter(\.isRemoved).map(\.id),
            next: last.map { Cursor(revision: $0, lineage: account.lineage) })
    }

    /// Reads the stored attachments, in the order of their revisions.
    func eachAttachment(_ body: (Attachment) throws -> Void) throws {
        var page = try attachments(since: 0, limit: Self.attachmentsPerRead)
        while true {
            for attachment in page.stored { try body(attachment) }
            guard let next = page.next else { return }
            page = try attachments(since: next.revision, limit: Self.attachmentsPerRead)
        }
    }

    private static let attachmentsPerRead = 1000
}
