/// The numbers of notes with changes that exist only in this file and would be lost with it.
public struct UnsyncedNotes: Sendable, Hashable {
    /// The number of notes with changes that are unsent or not yet acknowledged.
    public let waiting: Int
    /// The number of notes with a rejected change, which needs the user: see
    /// ``StoredNote/Status-swift.enum/needsAttention(_:)``.
    public let refused: Int

    /// True if the server has all changes.
    public var isEmpty: Bool { waiting == 0 && refused == 0 }

    init(waiting: Int = 0, refused: Int = 0) {
        self.waiting = waiting
        self.refused = refused
    }
}

extension UnsyncedNotes: CustomStringConvertible {
    /// The message for users with both numbers.
    public var description: String {
        if isEmpty { return "everything is on the server" }
        let parts = [(waiting, "not sent yet"), (refused, "refused by the server")].filter { $0.0 > 0 }
        return parts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
