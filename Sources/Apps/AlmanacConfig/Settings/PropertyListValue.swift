internal import Foundation

/// Values of property lists as JSON.
enum PropertyListValue {
    /// - Returns: nil for what neither is JSON nor holds JSON.
    static func value(_ object: Any) -> ConfigValue? {
        if let data = object as? Data { return try? ConfigValue(json: data) }
        if let date = object as? Date { return ConfigValue(stringLiteral: date.formatted(ConfigDate.written)) }
        guard JSONSerialization.isValidJSONObject([object]),
            let json = try? JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys])
        else { return nil }
        return try? ConfigValue(json: json)
    }
}
