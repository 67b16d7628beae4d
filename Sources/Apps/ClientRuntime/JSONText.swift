internal import AlmanacJSONReader

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The source text of one JSON value. Numbers keep all digits until they are read as a type.
package struct JSONText: Sendable, Hashable {
    package let json: String

    package enum Kind: String {
        case string, number, bool, array, object, null
    }

    /// - Parameter json: the text of one valid JSON value, without surrounding whitespace.
    package init(checked json: String) { self.json = json }

    package var kind: Kind {
        switch json.utf8.first {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// Compares bytes, because canonically equivalent strings are different values.
    package static func == (one: JSONText, other: JSONText) -> Bool { one.json.utf8.elementsEqual(other.json.utf8) }

    package func hash(into hasher: inout Hasher) { for byte in json.utf8 { hasher.combine(byte) } }
}

/// Accessors that read the value as a type. Each returns nil for a value of another type.
extension JSONText {
    package var string: String? { kind == .string ? JSONString.text(of: Array(json.utf8)[...]) : nil }

    package var bool: Bool? { kind == .bool ? json.utf8.first == UInt8(ascii: "t") : nil }

    /// The value as an integer. `3.0` and `3e2` count as integers too.
    package var int: Int? {
        guard kind == .number else { return nil }
        return Int(json) ?? Double(json).flatMap { Int(exactly: $0) }
    }

    package var double: Double? {
        guard kind == .number, let double = Double(json), double.isFinite else { return nil }
        return double
    }

    /// The value as a URL. Characters that need escaping make the URL invalid.
    package var url: URL? { string.flatMap { URL(string: $0, encodingInvalidCharacters: false) } }

    /// The value as an ISO 8601 time, with or without fractional seconds.
    package var date: Date? { string.flatMap { Self.date($0) } }

    /// Decodes the value as any type. Dates are read like ``date``.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let date = Self.date(try container.decode(String.self)) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an ISO 8601 time")
        }
        return try decoder.decode(type, from: Data(json.utf8))
    }

    /// Returns the value as a type, as strictly as the accessor of that type; nil for a value of another type.
    package func value<Value: Decodable>(as type: Value.Type) -> Value? {
        let read: Any? =
            switch type {
            case is String.Type: string
            case is Bool.Type: bool
            case is Int.Type: int
            case is Double.Type: double
            case is URL.Type: url
            case is Date.Type: date
            default: try? decoded(as: type)
            }
        // `flatMap` distinguishes a failed read from a decoded nil of an optional type.
        return read.flatMap { $0 as? Value }
    }

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Formats a time like the server.
    package static func text(of date: Date) -> String { date.formatted(timeFormat) }

    private static func date(_ text: String) -> Date? {
        (try? timeFormat.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}

/// Texts for the message about a value of the wrong type.
extension JSONText {
    /// Returns a description of the form that a type expects.
    package static func form(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is URL.Type: "a URL"
        case is Date.Type: "an ISO 8601 time"
        default: "\(type)"
        }
    }

    /// Returns a description of the value, for a type that it can't be read as.
    package func found(for type: Any.Type) -> String {
        switch kind {
        case .string where string == nil: "a string with half of a surrogate pair"
        case .number where type is Double.Type: "a number too large to hold"
        case .number where type is Int.Type: double?.rounded() == double ? "a number too large to hold" : "a fraction"
        default: kind.rawValue
        }
    }
}
