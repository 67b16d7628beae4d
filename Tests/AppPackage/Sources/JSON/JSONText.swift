public struct JSONText: CustomStringConvertible {
    public let description: String

    public init(_ text: String) {
        description = "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
