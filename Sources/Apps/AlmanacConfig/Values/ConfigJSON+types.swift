internal import AlmanacClientRuntime

/// Reading of a value as a Swift type, shared by config values and settings.
extension ConfigJSON {
    /// Returns the value as a type, as strictly as the accessor of that type; nil for a value of another type.
    func value<Value: Decodable>(as type: Value.Type) -> Value? {
        switch type {
        case is ConfigColor.Type: color as? Value
        case is ConfigJSON.Type: self as? Value
        default: text.value(as: type)
        }
    }

    /// Returns a description of the form that a type expects.
    static func form(of type: Any.Type) -> String {
        type is ConfigColor.Type ? ConfigColor.form : JSONText.form(of: type)
    }

    /// Returns a description of the value, for a type that it can't be read as.
    func found(for type: Any.Type) -> String { text.found(for: type) }
}

/// Coding inside other types: `[String: ConfigJSON]` is an object with any values.
///
/// Another decoder or encoder limits a number to the precision of a double or a 64-bit integer.
extension ConfigJSON: Codable {
    /// Decodes a value of any type except null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let bool = try? container.decode(Bool.self) {
            self.init(booleanLiteral: bool)
        } else if let int = try? container.decode(Int.self) {
            self.init(integerLiteral: int)
        } else if let double = try? container.decode(Double.self), double.isFinite {
            self.init(floatLiteral: double)
        } else if let string = try? container.decode(String.self) {
            self.init(stringLiteral: string)
        } else if let elements = try? container.decode([Part].self) {
            self.init(checked: "[" + elements.map(\.json).joined(separator: ",") + "]")
        } else {
            let members = try container.decode([String: Part].self)
            self.init(checked: ConfigObject.json(of: members.mapValues { ConfigJSON(checked: $0.json) }))
        }
    }

    /// Encodes the value as its JSON type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch kind {
        case .bool: try container.encode(bool)
        case .string: try container.encode(string)
        case .number: try int.map { try container.encode($0) } ?? container.encode(double)
        case .array: try container.encode(try decoded(as: [Part].self))
        case .object: try container.encode(try decoded(as: [String: Part].self))
        }
    }

    /// An element or member of any type, including null.
    private struct Part: Codable {
        let json: String

        init(from decoder: any Decoder) throws {
            let isNull = try decoder.singleValueContainer().decodeNil()
            json = isNull ? "null" : try ConfigJSON(from: decoder).json
        }

        func encode(to encoder: any Encoder) throws {
            if json != "null" { return try ConfigJSON(checked: json).encode(to: encoder) }
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
