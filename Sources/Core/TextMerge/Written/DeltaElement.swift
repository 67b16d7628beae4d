/// One element of a delta written as an array, whichever JSON library read it or will write it.
public enum DeltaElement: Sendable {
    /// A number without fraction.
    case integer(Int)
    /// A string.
    case text(String)
    /// An array of a number and a string, in this order.
    case pair(Int, String)
    /// Anything else, so that a caller can hand over what it has read; refused with its position.
    case other
}

extension DeltaElement: Equatable {
    /// Texts are compared by their bytes, not by canonical equivalence.
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
    public init(integerLiteral value: Int) {
        self = .integer(value)
    }

    public init(stringLiteral value: String) {
        self = .text(value)
    }
}
