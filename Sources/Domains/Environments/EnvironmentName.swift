/// The name of an environment: a slug, the first path segment of every URL.
public struct EnvironmentName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// What a name looks like, for messages.
    public static let form = "[a-z][a-z0-9-]{0,31}"

    /// Nil for a text that is no such slug.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...32).contains(bytes.count), let first = bytes.first, (97...122).contains(first) else { return nil }
        for byte in bytes where !((97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")) {
            return nil
        }
        self.text = text
    }

    public var description: String { text }
}
