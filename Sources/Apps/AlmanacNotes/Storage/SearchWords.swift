/// What a user types into a search field, as a query of SQLite's full-text search.
enum SearchWords {
    /// Every word as a quoted beginning, so that nothing typed has a meaning of its own; empty without words.
    static func query(_ text: String) -> String {
        text.split { !$0.isLetter && !$0.isNumber }.prefix(32).map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
