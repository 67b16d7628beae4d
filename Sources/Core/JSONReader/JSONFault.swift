/// A reason to refuse bytes as JSON.
public struct JSONFault: Error, Equatable, Sendable {
    /// The expected part, such as `a comma or the end of the array`.
    public let expected: String
    /// The place of that part in the bytes, from 0.
    public let offset: Int

    /// False for well-formed JSON that is too long or too deep, has a number beyond a double, or a duplicate name.
    public let isMalformed: Bool

    package init(expected: String, offset: Int, isMalformed: Bool = true) {
        (self.expected, self.offset, self.isMalformed) = (expected, offset, isMalformed)
    }

    /// The fault as a text for people.
    public var message: String { "expected \(expected) at byte \(offset)" }
}
