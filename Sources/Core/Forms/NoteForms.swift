/// The name of a note, chosen by the client that creates it. ASCII, so that `==` compares bytes.
public enum NoteID {
    /// The form of an id, for messages.
    public static let form = "[A-Za-z0-9_-]{1,64}"

    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
}

/// A word or phrase under which notes are filed. Kept and compared byte for byte.
public enum NoteTag {
    /// In Unicode scalars.
    public static let longest = 64
    /// The most tags of one note.
    public static let mostOfNote = 32
    /// The form of a tag, for messages.
    public static let form = "a text of 1 to \(longest) characters, none of them a control character"

    public static func isValid(_ text: String) -> Bool {
        // Counted only as far as needed: a text may be long.
        (1...longest).contains(text.unicodeScalars.prefix(longest + 1).count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
