internal import Foundation

/// One value of the config: any JSON but null, as it was written.
///
/// A number keeps its digits, so `0.1` and `9007199254740993` arrive as they were entered.
public struct ConfigValue: Sendable, Hashable, CustomStringConvertible {
    /// The JSON text.
    public let json: String

    /// What a value can be.
    public enum Kind: String, Sendable {
        case string, number, bool, array, object
    }

    /// Takes a text that is known to be one JSON value.
    init(checked json: String) {
        self.json = json
    }

    /// Reads one JSON value.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for what is not JSON, null, or nested deeper than 128 levels.
    public init(json: some Sequence<UInt8>) throws(ConfigFailure) {
        let bytes = Array(json)
        let value: ArraySlice<UInt8>
        do {
            value = try JSONScanner.value(in: bytes[...])
        } catch {
            throw .invalidValue("expected \(error.expected) at byte \(error.offset)")
        }
        guard let text = String(validating: value, as: UTF8.self) else { throw .invalidValue("expected UTF-8") }
        if text == "null" { throw .invalidValue("expected a value other than null") }
        self.json = text
    }

    /// Writes a value as JSON.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it can't be encoded.
    public init(encoding value: some Encodable) throws(ConfigFailure) {
        let data: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.formatted(ConfigDate.written))
            }
            data = try encoder.encode(value)
        } catch {
            throw .invalidValue("expected what JSON can hold: \(error)")
        }
        try self.init(json: data)
    }

    public var kind: Kind {
        switch json.utf8.first {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "{"): .object
        default: .number
        }
    }

    public var description: String { json }

    /// Compares bytes: texts that only look the same are different values.
    public static func == (one: ConfigValue, other: ConfigValue) -> Bool {
        one.json.utf8.elementsEqual(other.json.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in json.utf8 { hasher.combine(byte) }
    }
}
