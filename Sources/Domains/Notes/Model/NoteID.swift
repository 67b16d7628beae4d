internal import AlmanacHTTP

/// The name of a note, chosen by the client that creates it.
enum NoteID {
    /// What an id looks like, for messages.
    static let form = "[A-Za-z0-9_-]{1,64}"

    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.mayStandInID)
    }

    /// Refuses a path segment that is no id.
    static func checked(_ text: String) throws(Problem) -> String {
        guard isValid(text) else { throw Problem(.invalidKey, "expected the id of a note, of the form \(form)") }
        return text
    }
}

/// The name of an action, chosen by the client and unique in its account.
enum ActionID {
    /// What an id looks like, for messages.
    static let form = "1 to 128 printable ASCII characters without spaces"

    static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }
}

extension UInt8 {
    fileprivate var mayStandInID: Bool {
        (65...90).contains(self) || (97...122).contains(self) || (48...57).contains(self) || self == 95 || self == 45
    }
}
