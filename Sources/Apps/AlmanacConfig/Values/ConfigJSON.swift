internal import AlmanacClientRuntime
internal import AlmanacJSONReader
public import Foundation

/// One value of the config: any JSON but null, as it was written.
///
/// A number keeps its digits, so `0.1` and `9007199254740993` arrive as they were entered.
public struct ConfigJSON: Sendable, Hashable, CustomStringConvertible {
    /// The JSON text.
    public let json: String

    /// What a property list held in its place; nil for JSON that was JSON from the start.
    let origin: PropertyListOrigin?

    /// The types of JSON.
    public enum Kind: String, Sendable {
        /// A text.
        case string
        /// With or without a fraction.
        case number
        /// True or false.
        case bool
        /// Values in an order.
        case array
        /// Values with names.
        case object
    }

    /// Takes a text that is known to be one JSON value.
    init(checked json: String, origin: PropertyListOrigin? = nil) {
        self.json = json
        self.origin = origin
    }

    /// Reads one JSON value.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for what is not JSON, null, or nested deeper than 128 levels.
    public init(json: some Sequence<UInt8>) throws(ConfigFailure) {
        let bytes = Array(json)
        let value: ArraySlice<UInt8>
        do {
            value = try JSONReader.value(in: bytes[...])
        } catch {
            throw .invalidValue("expected \(error.expected) at byte \(error.offset)")
        }
        guard let text = String(validating: value, as: UTF8.self) else { throw .invalidValue("expected UTF-8") }
        if text == "null" { throw .invalidValue("expected a value other than null") }
        self.init(checked: text)
    }

    /// Writes a value as JSON.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it can't be encoded.
    public init(encoding value: some Encodable) throws(ConfigFailure) {
        if let value = value as? ConfigJSON {
            self.init(checked: value.json)
            return
        }
        let data: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(JSONText.text(of: date))
            }
            data = try encoder.encode(value)
        } catch {
            throw .invalidValue("expected what JSON can hold: \(error)")
        }
        try self.init(json: data)
    }

    /// The value, to be read as a type.
    var text: JSONText { JSONText(checked: json) }

    /// The type of the value.
    public var kind: Kind { Kind(rawValue: text.kind.rawValue) ?? .number }

    /// The JSON text.
    public var description: String { json }

    /// Compares bytes: texts that only look the same are different values.
    public static func == (one: ConfigJSON, other: ConfigJSON) -> Bool { one.text == other.text }

    /// Takes in the bytes of the JSON text.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// Each reads the value as one type, and is nil where it is of another.
extension ConfigJSON {
    /// A text in valid Unicode.
    public var string: String? { text.string }

    /// True or false.
    public var bool: Bool? { text.bool }

    /// A number without a fraction that fits; `3.0` and `3e2` are such numbers too.
    public var int: Int? { text.int }

    /// The nearest double of a number; nil for one too large to have one.
    public var double: Double? { text.double }

    /// A string that is a URL as it stands, without characters that would have to be escaped.
    public var url: URL? { text.url }

    /// A string of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public var color: ConfigColor? { string.flatMap { ConfigColor($0) } }

    /// A string with a time of ISO 8601, with or without fractional seconds: `2020-10-17T18:43:19.000Z`.
    public var date: Date? { text.date }

    /// Any type that can be decoded; dates are those of ``date``.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value { try text.decoded(as: type) }
}

/// Values in source code: `["app.title": "Cats", "app.limit": 20]`.
extension ConfigJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) {
        self.init(checked: JSONString.json(of: value))
    }

    /// A whole number.
    public init(integerLiteral value: Int) {
        self.init(checked: "\(value)")
    }

    /// A number, which has to be finite.
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value)")
        self.init(checked: "\(value)")
    }

    /// True or false.
    public init(booleanLiteral value: Bool) {
        self.init(checked: "\(value)")
    }

    /// An array.
    public init(arrayLiteral elements: ConfigJSON...) {
        self.init(checked: "[" + elements.map(\.json).joined(separator: ",") + "]")
    }

    /// An object.
    public init(dictionaryLiteral elements: (String, ConfigJSON)...) {
        let members = elements.map { JSONString.json(of: $0) + ":" + $1.json }
        self.init(checked: "{" + members.joined(separator: ",") + "}")
    }
}
