/// An element of a delta in array form, independent of any JSON library.
public enum DeltaElement: Sendable {
    /// A number without a fraction.
    case integer(Int)
    /// A string.
    case text(String)
    /// An array of a number and a string, in this order.
    case pair(Int, String)
    /// Any other value. The reader refuses it and reports its position.
    case other
}

extension DeltaElement: Equatable {
    /// Returns true if the elements are the same; texts are compared by their bytes, not by canonical equivalence.
    public static func == (left: DeltaElement, right: DeltaElement) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.isIdentical(to: right)
        case (.pair(let leftCode, let left), .pair(let rightCode, let right)):
            leftCode == rightCode && left.isIdentical(to: right)
        case (.other, .other): true
        default: false
        }
    }
}

extension DeltaElement: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral value: Int) { self = .integer(value) }

    public init(stringLiteral value: String) { self = .text(value) }
}
