/// The key of a config entry: a letter or underscore, then at most 127 letters, digits, underscores, dots or hyphens. A
/// key therefore never looks like a timestamp or a revision.
public enum EntryKey {
    /// The form of a key, for messages.
    public static let form = "[A-Za-z_][A-Za-z0-9_.-]{0,127}"

    public static func isValid(_ text: some StringProtocol) -> Bool {
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, first.isLetter || first == underscore
        else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || [underscore, dot, hyphen].contains($0) }
    }
}

/// A key, or a prefix of keys followed by a star: `app.banner`, `app.banner.*`. A star alone is invalid.
public enum EntryKeyPattern {
    public static func isValid(_ text: some StringProtocol) -> Bool {
        EntryKey.isValid(text.hasSuffix("*") ? String(text.dropLast()) : String(text))
    }
}

/// The reason for a release, shown in the history: one line.
public enum ReleaseMessage {
    public static let maxBytes = 1024
    /// The form of a release message, for error messages.
    public static let form = "one line of UTF-8 text, at most \(maxBytes) bytes"

    /// - Parameter text: The message, in which U+FFFD replaces bytes that were not UTF-8.
    public static func isValid(_ text: String) -> Bool {
        text.utf8.count <= maxBytes
            && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" }
    }
}

private let (underscore, dot, hyphen) = (UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"))

extension UInt8 {
    var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    var isDigit: Bool { (48...57).contains(self) }
}
