public struct Settings: Sendable {
    public var color: String

    public init(color: String) {
        self.color = color
    }
}
