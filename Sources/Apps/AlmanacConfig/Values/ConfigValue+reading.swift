public import Foundation

/// Each reads the value as one type, and is nil where it is of another.
extension ConfigValue {
    public var string: String? {
        kind == .string ? JSONString.text(of: Array(json.utf8)[...]) : nil
    }

    public var bool: Bool? {
        kind == .bool ? json.utf8.first == UInt8(ascii: "t") : nil
    }

    /// A number without a fraction that fits; `3.0` and `3e2` are such numbers too.
    public var int: Int? {
        guard kind == .number else { return nil }
        return Int(json) ?? Double(json).flatMap { Int(exactly: $0) }
    }

    /// The nearest double of a number; nil for one too large to have one.
    public var double: Double? {
        guard kind == .number, let double = Double(json), double.isFinite else { return nil }
        return double
    }

    /// A string that is a URL as it stands, without characters that would have to be escaped.
    public var url: URL? {
        string.flatMap { URL(string: $0, encodingInvalidCharacters: false) }
    }

    /// A string of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public var color: ConfigColor? {
        string.flatMap { ConfigColor($0) }
    }

    /// A string with a time of ISO 8601, with or without fractional seconds: `2020-10-17T18:43:19.000Z`.
    public var date: Date? {
        string.flatMap { ConfigDate.date($0) }
    }

    /// Any type that can be decoded; dates are those of ``date``.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let date = ConfigDate.date(try container.decode(String.self)) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a time of ISO 8601")
        }
        return try decoder.decode(type, from: Data(json.utf8))
    }
}
