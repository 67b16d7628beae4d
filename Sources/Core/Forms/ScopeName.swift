/// The name of a token's scope.
public enum ScopeName {
    /// The prefix before the keys that may be changed: `config:write:app.banner.*`.
    public static let keysPrefix = "config:write:"
    private static let whole: Set = ["flags:evaluate", "config:read", "config:write", "admin"]

    public static func isValid(_ text: String) -> Bool {
        whole.contains(text)
            || (text.hasPrefix(keysPrefix) && EntryKeyPattern.isValid(text.dropFirst(keysPrefix.count)))
    }
}
