/// The id of a note, chosen by the client that creates the note. The id is ASCII, so `==` compares bytes.
public enum NoteID {
    /// The form of an id, for messages.
    public static let form = "[A-Za-z0-9_-]{1,64}"

    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
}

/// The id of an attachment, chosen by the client: 128 random bits in base 32 (RFC 4648 §6), in lower case.
public enum AttachmentID {
    /// The form of an id, for messages.
    public static let form = "[a-z2-7]{26}"

    public static func isValid(_ text: String) -> Bool {
        text.utf8.count == 26 && text.utf8.allSatisfy { (97...122).contains($0) || (50...55).contains($0) }
    }
}

/// A tag of a note. Tags are stored unchanged and compared by bytes.
public enum NoteTag {
    /// The limit on the length, in Unicode scalars.
    public static let maxScalars = 64
    /// The limit on the number of tags of one note.
    public static let maxPerNote = 32
    /// The form of a tag, for messages.
    public static let form = "a text of 1 to \(maxScalars) characters without control characters"

    public static func isValid(_ text: String) -> Bool {
        // The count stops at the limit, because the text may be long.
        (1...maxScalars).contains(text.unicodeScalars.prefix(maxScalars + 1).count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
