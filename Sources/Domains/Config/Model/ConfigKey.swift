/// The name of an entry: a letter or underscore, then at most 127 letters, digits, underscores, dots or hyphens.
///
/// So a key never looks like a timestamp or a revision.
enum ConfigKey {
    /// The form of a key, for messages.
    static let form = "[A-Za-z_][A-Za-z0-9_.-]{0,127}"

    static func isValid(_ text: String) -> Bool {
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, first.isLetter || first == 95 else {
            return false
        }
        return text.utf8.allSatisfy { $0.isLetter || (48...57).contains($0) || [95, 46, 45].contains($0) }
    }

    /// Refuses a text that is no key.
    static func checked(_ text: String) throws(ConfigRefusal) -> String {
        guard isValid(text) else { throw .invalidKey }
        return text
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
}
