/// The text of one statement. Values come in only through its placeholders.
struct SQLStatement: Sendable, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
