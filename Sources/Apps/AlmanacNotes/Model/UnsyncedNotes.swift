/// What of a file's notes is only in it: what would be lost if it went.
public struct UnsyncedNotes: Sendable, Hashable {
    /// How many notes hold something that waits to be sent, or whose arrival is not known yet.
    public let waiting: Int
    /// How many notes hold something that the server has refused; they need their user, see
    /// ``StoredNote/Status-swift.enum/needsAttention(_:)``.
    public let refused: Int

    /// Whether everything is on the server too.
    public var isEmpty: Bool { waiting == 0 && refused == 0 }

    init(waiting: Int = 0, refused: Int = 0) {
        self.waiting = waiting
        self.refused = refused
    }
}

extension UnsyncedNotes: CustomStringConvertible {
    /// How many there are of each, for people.
    public var description: String {
        if isEmpty { return "everything is on the server" }
        let parts = [(waiting, "not sent yet"), (refused, "refused by the server")].filter { $0.0 > 0 }
        return parts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
