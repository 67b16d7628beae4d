internal import AlmanacJSON

/// The type that generated code gives to a JSON value.
indirect enum ValueShape: Equatable, Sendable {
    case string, color, url, bool, int, double
    case array(ValueShape)
    case object([Member])
    /// Values without a common type.
    case any

    struct Member: Equatable, Sendable {
        let name: String
        var shape: ValueShape
        /// True if some of the values lack this member.
        var isOptional: Bool
    }

    init(of value: JSONValue) {
        if let text = value.stringValue {
            self = Self.shape(of: text)
        } else if value.boolValue != nil {
            self = .bool
        } else if let number = value.numberValue {
            self = number.int64 == nil ? .double : .int
        } else if let elements = value.arrayValue {
            let shapes = elements.map { ValueShape(of: $0) }
            let hasNull = elements.contains { $0.type == .null }
            self = hasNull ? .any : .array(shapes.dropFirst().reduce(shapes.first ?? .any) { $0.merged(with: $1) })
        } else if let object = value.objectValue {
            self = .object(
                object.members.map { member in
                    let isNull = member.value.type == .null
                    return Member(name: member.name, shape: ValueShape(of: member.value), isOptional: isNull)
                })
        } else {
            self = .any
        }
    }

    private static func shape(of text: String) -> ValueShape {
        if text.wholeMatch(of: /#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})/) != nil { return .color }
        return text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.-]+(:[0-9]+)?([\/?#][A-Za-z0-9\/?#._~=&+,-]*)?/) == nil
            ? .string : .url
    }

    /// Returns the common type of both.
    private func merged(with other: ValueShape) -> ValueShape {
        switch (self, other) {
        case _ where self == other: self
        case (.int, .double), (.double, .int): .double
        case (.color, .string), (.string, .color), (.url, .string), (.string, .url), (.color, .url), (.url, .color):
            .string
        case (.array(let one), .array(let two)): .array(one.merged(with: two))
        case (.object(let one), .object(let two)): .object(Self.merged(one, two))
        default: .any
        }
    }

    private static func merged(_ one: [Member], _ two: [Member]) -> [Member] {
        var members = one.map { member in
            guard let other = two.first(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) else {
                return Member(name: member.name, shape: member.shape, isOptional: true)
            }
            // A null does not determine a type.
            let shape =
                member.isOptional && member.shape == .any
                ? other.shape
                : other.isOptional && other.shape == .any ? member.shape : member.shape.merged(with: other.shape)
            return Member(name: member.name, shape: shape, isOptional: member.isOptional || other.isOptional)
        }
        for member in two where !one.contains(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
            members.append(Member(name: member.name, shape: member.shape, isOptional: true))
        }
        return members
    }

    /// The shape with plain strings in place of colours and URLs.
    var withoutPatterns: ValueShape {
        switch self {
        case .color, .url: .string
        case .array(let element): .array(element.withoutPatterns)
        case .object(let members):
            .object(members.map { Member(name: $0.name, shape: $0.shape.withoutPatterns, isOptional: $0.isOptional) })
        default: self
        }
    }
}
