internal import AlmanacClientRuntime
internal import AlmanacJSONReader
public import Foundation

/// A value of a context or of a flag's metadata: `["plan": "pro", "seats": 20]`.
public enum FlagData: Sendable {
    /// A text.
    case string(String)
    /// A number without a fraction.
    case int(Int)
    /// A number, which is null to the server where it is not finite.
    case double(Double)
    /// True or false.
    case bool(Bool)
    /// A time, which rules see as a text of ISO 8601.
    case date(Date)
    /// Values in an order.
    case list([FlagData])
    /// Values with names.
    case object([String: FlagData])
    /// Nothing.
    case null
}

extension FlagData: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .int(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Values in an order.
    public init(arrayLiteral elements: FlagData...) { self = .list(elements) }

    /// Values with names, of which the last of a name counts.
    public init(dictionaryLiteral elements: (String, FlagData)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

/// Two are equal when the server would see the same: texts are compared by their bytes.
extension FlagData: Hashable {
    public static func == (one: FlagData, other: FlagData) -> Bool { one.text == other.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// As itself within other types, and as the type of a flag whose values have no common form.
extension FlagData: Codable {
    /// Reads any value; a time is read as the text that it is.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? container.decode(Int.self) {
            self = .int(int)
        } else if let double = try? container.decode(Double.self) {
            self = .double(double)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let elements = try? container.decode([FlagData].self) {
            self = .list(elements)
        } else {
            self = .object(try container.decode([String: FlagData].self))
        }
    }

    /// Writes the value as what the server would see.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let string): try container.encode(string)
        case .int(let int): try container.encode(int)
        case .double(let double) where double.isFinite: try container.encode(double)
        case .bool(let bool): try container.encode(bool)
        case .date(let date): try container.encode(JSONText.text(of: date))
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        case .double, .null: try container.encodeNil()
        }
    }
}

extension FlagData {
    /// The value as JSON, with the members of objects in order: equal values have equal texts.
    var text: JSONText { JSONText(checked: json) }

    private var json: String {
        switch self {
        case .string(let string): JSONString.json(of: string)
        case .int(let int): "\(int)"
        // To rules, 1 and 1.0 are one number.
        case .double(let double) where abs(double) < 0x1p53 && double.rounded() == double: "\(Int(double))"
        case .double(let double): double.isFinite ? "\(double)" : "null"
        case .bool(let bool): "\(bool)"
        case .date(let date): JSONString.json(of: JSONText.text(of: date))
        case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members): Self.json(of: members)
        case .null: "null"
        }
    }

    private static func json(of members: [String: FlagData]) -> String {
        let members = members.map { (name: JSONString.json(of: $0), value: $1.json) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return "{" + members.map { $0.name + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// Reads a value of a response; nil for half of a surrogate pair.
    init?(_ text: JSONText) {
        let bytes = Array(text.json.utf8)[...]
        switch text.kind {
        case .string:
            guard let string = text.string else { return nil }
            self = .string(string)
        case .number:
            if let int = Int(text.json) { self = .int(int) } else { self = .double(text.double ?? .infinity) }
        case .bool: self = .bool(text.bool == true)
        case .array:
            guard let elements = try? JSONReader.elements(in: bytes) else { return nil }
            self = .list(elements.compactMap { FlagData(JSONText($0)) })
        case .object:
            guard let members = try? JSONReader.members(in: bytes) else { return nil }
            self = .object(
                members.reduce(into: [:]) { object, member in object[member.name] = FlagData(JSONText(member.value)) })
        case .null: self = .null
        }
    }
}

extension JSONText {
    /// Takes what a scanner has found to be a value.
    init(_ bytes: ArraySlice<UInt8>) {
        self.init(checked: String(decoding: bytes, as: UTF8.self))
    }
}
