/// The numbers of notes and attachments with changes that exist only in this file and would be lost with it.
public struct UnsyncedNotes: Sendable, Hashable {
    /// The number of notes with changes that are unsent or not yet acknowledged.
    public let waiting: Int
    /// The number of notes with a rejected change, which needs the user: see
    /// ``StoredNote/Status-swift.enum/needsAttention(_:)``.
    public let refused: Int
    /// The number of attachments whose file or removal is not completely sent.
    public let waitingAttachments: Int
    /// The number of attachments that the server refused: see ``StoredAttachment/Status-swift.enum/refused(_:)``.
    public let refusedAttachments: Int

    /// True if the server has all changes.
    public var isEmpty: Bool { self == UnsyncedNotes() }

    init(waiting: Int = 0, refused: Int = 0, waitingAttachments: Int = 0, refusedAttachments: Int = 0) {
        self.waiting = waiting
        self.refused = refused
        self.waitingAttachments = waitingAttachments
        self.refusedAttachments = refusedAttachments
    }
}

extension UnsyncedNotes: CustomStringConvertible {
    /// The message for users with all numbers.
    public var description: String {
        if isEmpty { return "everything is on the server" }
        func files(_ count: Int) -> String { "\(count) \(count == 1 ? "file" : "files")" }
        let parts = [
            (waiting, "\(waiting) not sent yet"), (refused, "\(refused) refused by the server"),
            (waitingAttachments, "\(files(waitingAttachments)) not sent yet"),
            (refusedAttachments, "\(files(refusedAttachments)) refused by the server"),
        ]
        return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    }
}
