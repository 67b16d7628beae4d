/// Why bytes are no JSON that is taken.
public struct JSONFault: Error, Equatable, Sendable {
    /// What was expected there: `a comma or the end of the array`.
    public let expected: String
    /// The byte at which it was, from 0.
    public let offset: Int

    /// False for JSON of which only part could be taken: it is too long or too deep, has a number that no double can
    /// hold, or a name twice.
    public let isMalformed: Bool

    package init(expected: String, offset: Int, isMalformed: Bool = true) {
        (self.expected, self.offset, self.isMalformed) = (expected, offset, isMalformed)
    }

    /// What is wrong, for people.
    public var message: String { "expected \(expected) at byte \(offset)" }
}
