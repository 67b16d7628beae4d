internal import AlmanacJSONReader
internal import Foundation

/// The original of a value from a property list, for conversions that its JSON does not permit.
///
/// User defaults, launch arguments and a `Settings.bundle` have no fixed types: a number may be stored as a string, a
/// Boolean as 1 or `YES`, a document as data. Like Foundation, this library converts such a value.
enum PropertyListOrigin: Sendable {
    /// A string, number, Boolean, date, array or dictionary.
    case value
    /// Bytes, represented as JSON if they are valid JSON, otherwise as a Base64 string.
    case data(Data)
}

extension ConfigJSON {
    /// Creates a value from a property list object; returns nil for another object.
    init?(propertyList object: Any) {
        if let data = object as? Data {
            let json = (try? ConfigJSON(json: data))?.json ?? JSONString.json(of: data.base64EncodedString())
            self.init(checked: json, origin: .data(data))
        } else if let date = object as? Date {
            self.init(checked: JSONString.json(of: JSONText.text(of: date)), origin: .value)
        } else {
            guard JSONSerialization.isValidJSONObject([object]),
                let data = try? JSONSerialization.data(
                    withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys]),
                let value = try? ConfigJSON(json: data)
            else { return nil }
            self.init(checked: value.json, origin: .value)
        }
    }

    /// Returns the value as a type. Only a value from a property list is converted, like in Foundation.
    ///
    /// Unlike in Foundation, an invalid string is not converted to 0 or false.
    func setting<Value: Decodable>(as type: Value.Type) -> Value? {
        switch origin {
        case nil: value(as: type)
        case .value: value(as: type) ?? readings.lazy.compactMap { $0.value(as: type) }.first
        case .data(let data): data as? Value ?? value(in: data, as: type)
        }
    }

    private func value<Value: Decodable>(in data: Data, as type: Value.Type) -> Value? {
        if let value = try? ConfigJSON(json: data).value(as: type) { return value }
        // `UserDefaults` stores a URL as an archive.
        return type is URL.Type
            ? (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data))?.absoluteURL as? Value : nil
    }

    /// Other JSON values that a property list value may represent.
    private var readings: [ConfigJSON] {
        switch kind {
        case .bool: bool == true ? [1, "1"] : [0, "0"]
        case .number: [ConfigJSON(stringLiteral: json)] + (double.map { [ConfigJSON(booleanLiteral: $0 != 0)] } ?? [])
        case .string: string.map(Self.readings) ?? []
        case .array, .object: []
        }
    }

    private static func readings(of text: String) -> [ConfigJSON] {
        var readings: [ConfigJSON] = []
        if let json = try? ConfigJSON(json: text.utf8) { readings.append(json) }
        // Accepts numbers that are not JSON: 007, +1, .5.
        let number = text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } ? Double(text) : nil
        if let int = Int(text) {
            readings.append(ConfigJSON(integerLiteral: int))
        } else if let number, number.isFinite {
            readings.append(ConfigJSON(floatLiteral: number))
        }
        switch text.lowercased() {
        case "yes", "y", "true", "t": readings.append(true)
        case "no", "n", "false", "f": readings.append(false)
        default: if let number { readings.append(ConfigJSON(booleanLiteral: number != 0)) }
        }
        return readings
    }
}
