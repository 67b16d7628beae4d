internal import AlmanacJSONReader
internal import Foundation

/// A value of a property list that stands for more than its JSON does.
///
/// User defaults, launch arguments and a `Settings.bundle` have no types of their own: a number may lie there as a
/// text, a flag as 1 or as `YES`, a document as data. Foundation reads each as what it is asked for, and so does this.
enum PropertyListOrigin: Sendable {
    /// A text, number, flag, array or dictionary.
    case value
    /// Bytes; their JSON is themselves where they are JSON, else a text in Base64.
    case data(Data)
}

extension ConfigJSON {
    /// A value of a property list; nil for what no property list holds.
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

    /// The value as a type: as Foundation would read it where it comes from a property list, else strictly.
    ///
    /// A text that is no number, or neither true nor false, is not read as 0 or false.
    func setting<Value: Decodable>(as type: Value.Type) -> Value? {
        switch origin {
        case nil: value(as: type)
        case .value: value(as: type) ?? readings.lazy.compactMap { $0.value(as: type) }.first
        case .data(let data): data as? Value ?? value(in: data, as: type)
        }
    }

    private func value<Value: Decodable>(in data: Data, as type: Value.Type) -> Value? {
        if let value = try? ConfigJSON(json: data).value(as: type) { return value }
        // How user defaults keep a URL.
        return type is URL.Type
            ? (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data))?.absoluteURL as? Value : nil
    }

    /// What else a value of a property list may mean.
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
        // Numbers as people write them too: 007, +1, .5.
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
