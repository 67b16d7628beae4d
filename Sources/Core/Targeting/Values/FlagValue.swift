/// A JSON value: of a variant, an attribute of a context, a part of a rule, or a result.
///
/// Strings are compared by their bytes, as in JSON. Numbers preserve their digits.
public enum FlagValue: Sendable {
    /// The JSON value `null`.
    case null
    /// A boolean.
    case bool(Bool)
    /// A number with its digits.
    case number(FlagNumber)
    /// A text.
    case string(String)
    /// An array.
    case array(FlagArray)
    /// An object.
    case object(FlagObject)
}

extension FlagValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    /// Creates the value `null`.
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
    /// Returns true for the same type and content, whatever the order of members and the notation of numbers.
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
