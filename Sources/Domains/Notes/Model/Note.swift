internal import AlmanacTimestamps

/// One note: a row of `notes`.
struct Note: Sendable {
    let id: String
    let text: NoteText
    /// Sorts the account's list, byte by byte.
    let position: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    /// That of the account at the last change of anything here.
    let revision: Int64
    /// That of the account at the last change of title or body.
    let textRevision: Int64
    let deletedAt: Timestamp?
    let isPurged: Bool

    /// Whether it lies in the trash.
    var isDeleted: Bool { deletedAt != nil && !isPurged }
}

/// What a note says. Kept byte for byte, never normalised.
struct NoteText: Sendable {
    var title: String
    var body: String

    /// The length of both in UTF-8.
    var bytes: Int { title.utf8.count + body.utf8.count }
}
