/// The user's choices in this app.
public struct Settings: Sendable {
    public var color: String

    public init(color: String) {
        self.color = color
    }
}
