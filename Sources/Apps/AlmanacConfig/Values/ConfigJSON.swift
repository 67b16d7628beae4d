internal import AlmanacClientRuntime
internal import AlmanacJSONReader
public import Foundation

/// A JSON value of the config, in its original text. The value is never null.
///
/// A number retains its digits, so `0.1` and `9007199254740993` are exact.
public struct ConfigJSON: Sendable, Hashable, CustomStringConvertible {
    /// The JSON text.
    public let json: String

    /// The original property list value; nil for a value that was JSON originally.
    let origin: PropertyListOrigin?

    /// The type of a JSON value.
    public enum Kind: String, Sendable {
        /// A string.
        case string
        /// A number, with or without a fraction.
        case number
        /// True or false.
        case bool
        /// An array.
        case array
        /// An object.
        case object
    }

    /// Creates a value from the text of one valid JSON value.
    init(checked json: String, origin: PropertyListOrigin? = nil) {
        self.json = json
        self.origin = origin
    }

    /// Parses one JSON value.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the text is invalid, null, or nested deeper than 128 levels.
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

    /// Encodes a value as JSON.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the value can't be encoded.
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
            throw .invalidValue("expected a value that JSON can represent: \(error)")
        }
        try self.init(json: data)
    }

    var text: JSONText { JSONText(checked: json) }

    /// The type of the value.
    public var kind: Kind { Kind(rawValue: text.kind.rawValue) ?? .number }

    /// The JSON text.
    public var description: String { json }

    /// Compares bytes, because canonically equivalent strings are different values.
    public static func == (one: ConfigJSON, other: ConfigJSON) -> Bool { one.text == other.text }

    /// Hashes the bytes of the JSON text.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// Accessors that read the value as one type. Each returns nil for a value of another type.
extension ConfigJSON {
    /// The value of a string in valid Unicode.
    public var string: String? { text.string }

    /// The value of a Boolean.
    public var bool: Bool? { text.bool }

    /// The value of a number without a fraction that fits into an `Int`, including `3.0` and `3e2`.
    public var int: Int? { text.int }

    /// The value of a number, rounded to the nearest double; nil if the number is too large.
    public var double: Double? { text.double }

    /// The URL in a string. Characters that need escaping make the URL invalid.
    public var url: URL? { text.url }

    /// The colour in a string of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public var color: ConfigColor? { string.flatMap { ConfigColor($0) } }

    /// The ISO 8601 time in a string, with or without fractional seconds: `2020-10-17T18:43:19.000Z`.
    public var date: Date? { text.date }

    /// Decodes the value as any type. Dates are read like ``date``.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value { try text.decoded(as: type) }
}

/// Literals for values in source code: `["app.title": "Cats", "app.limit": 20]`.
extension ConfigJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self.init(checked: JSONString.json(of: value)) }

    /// Creates an integer.
    public init(integerLiteral value: Int) { self.init(checked: "\(value)") }

    /// Creates a number. The literal must be finite.
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value)")
        self.init(checked: "\(value)")
    }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self.init(checked: "\(value)") }

    /// Creates an array.
    public init(arrayLiteral elements: ConfigJSON...) {
        self.init(checked: "[" + elements.map(\.json).joined(separator: ",") + "]")
    }

    /// Creates an object.
    public init(dictionaryLiteral elements: (String, ConfigJSON)...) {
        let members = elements.map { JSONString.json(of: $0) + ":" + $1.json }
        self.init(checked: "{" + members.joined(separator: ",") + "}")
    }
}
