/// The name of a person for others: 1 to 100 characters on one line.
public struct PersonName: Sendable {
    public let text: String

    /// Removes control characters and the spaces at both ends, and shortens the name. Nil if nothing is left.
    public init?(_ text: String) {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.lazy.filter { !Self.isControl($0) }.prefix(100))
        let words = String(scalars).split(separator: " ", omittingEmptySubsequences: true)
        guard !words.isEmpty else { return nil }
        self.text = words.joined(separator: " ")
    }

    /// Returns true for characters that end lines, have no look of their own or turn the direction of the text around.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
