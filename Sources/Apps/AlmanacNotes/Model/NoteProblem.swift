/// Why the server refused a change.
public struct NoteProblem: Sendable, Hashable {
    /// The last part of the problem's type, such as `note-gone` or `limit-exceeded`.
    public let type: String
    /// What the server said about it, for people.
    public let detail: String

    public init(type: String, detail: String) {
        self.type = type
        self.detail = detail
    }
}
