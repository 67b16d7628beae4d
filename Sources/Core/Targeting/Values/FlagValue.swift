/// A JSON value: of a variant, of an attribute in a context, of what a rule is made of and what it gives.
///
/// Strings are compared by their bytes, as JSON does, and numbers keep the digits that they were written with.
public enum FlagValue: Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number with its digits.
    case number(FlagNumber)
    /// A text.
    case string(String)
    /// Values in their order.
    case array(FlagArray)
    /// Values by name.
    case object(FlagObject)
}

extension FlagValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    /// Nothing.
    public init(nilLiteral: ()) { self = .null }

    public init(booleanLiteral value: Bool) { self = .bool(value) }

    public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral {
    public init(integerLiteral value: Int64) { self = .number(FlagNumber(value)) }

    public init(floatLiteral value: Double) { self = .number(FlagNumber(value)) }

    public init(arrayLiteral elements: FlagValue...) { self = .array(FlagArray(elements)) }
}

extension FlagValue: Equatable {
    /// Whether both are the same value: of one type, with the same content; members in any order, numbers by what they
    /// are worth.
    public static func == (left: FlagValue, right: FlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.isSame(as: right)
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.array(let left), .array(let right)): left.elementsEqual(right)
        case (.object(let left), .object(let right)):
            left.members.count == right.members.count
                && left.members.allSatisfy { member in right[member.name].map { $0 == member.value } ?? false }
        default: false
        }
    }
}
