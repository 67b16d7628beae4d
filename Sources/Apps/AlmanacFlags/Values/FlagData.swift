internal import AlmanacClientRuntime
internal import AlmanacJSONReader
public import Foundation

/// A value of a context or of a flag's metadata: `["plan": "pro", "seats": 20]`.
public enum FlagData: Sendable {
    /// A string.
    case string(String)
    /// An integer.
    case int(Int)
    /// A number. A number that is not finite is sent as null.
    case double(Double)
    /// True or false.
    case bool(Bool)
    /// A time, sent as an ISO 8601 string.
    case date(Date)
    /// An array.
    case list([FlagData])
    /// An object.
    case object([String: FlagData])
    /// Null.
    case null
}

extension FlagData: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .int(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an array.
    public init(arrayLiteral elements: FlagData...) { self = .list(elements) }

    /// Creates an object. The last of duplicate names applies.
    public init(dictionaryLiteral elements: (String, FlagData)...) { self = .object(Dictionary(elements) { $1 }) }
}

/// Equality of the JSON that the server receives. Strings are compared byte by byte.
extension FlagData: Hashable {
    public static func == (one: FlagData, other: FlagData) -> Bool { one.text == other.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// Coding inside other types, and as the type of a flag whose values have different types.
extension FlagData: Codable {
    /// Decodes any value. A time is decoded as a string.
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

    /// Encodes the value in the form that the server receives.
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
    /// The value as JSON with sorted members, so that equal values have equal texts.
    var text: JSONText { JSONText(checked: json) }

    private var json: String {
        switch self {
        case .string(let string): JSONString.json(of: string)
        case .int(let int): "\(int)"
        // Targeting rules treat 1 and 1.0 as equal.
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

    /// Converts a value of a response. Returns nil for a string with an unpaired surrogate.
    init?(_ text: JSONText) {
        let bytes = Array(text.json.utf8)[...]
        switch text.kind {
        case .string:
            guard let string = text.string else { return nil }
            self = .string(string)
        case .number: if let int = Int(text.json) { self = .int(int) } else { self = .double(text.double ?? .infinity) }
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
    /// Creates a text from the bytes of a valid JSON value.
    init(_ bytes: ArraySlice<UInt8>) { self.init(checked: String(decoding: bytes, as: UTF8.self)) }
}
