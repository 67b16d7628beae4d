/// A reason to refuse bytes as JSON.
public struct JSONFault: Error, Equatable, Sendable {
    /// The expected part, such as `a comma or the end of the array`.
    public let expected: String
    /// The place of that part in the bytes, from 0.
    public let offset: Int

    /// False for JSON of which only part could be taken: it is too long or too deep, has a number that no double can
    /// hold, or a name twice.
    public let isMalformed: Bool

    package init(expected: String, offset: Int, isMalformed: Bool = true) {
        (self.expected, self.offset, self.isMalformed) = (expected, offset, isMalformed)
    }

    /// The fault in words.
    public var message: String { "expected \(expected) at byte \(offset)" }
}
