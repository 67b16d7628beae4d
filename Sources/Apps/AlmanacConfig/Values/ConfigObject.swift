internal import AlmanacJSONReader

/// The conversion between a JSON object and config values by key.
enum ConfigObject {
    /// Parses an object. A member that is null has no value and is omitted.
    static func values(in json: ArraySlice<UInt8>) throws(ConfigFailure) -> [String: ConfigJSON] {
        let members: [(name: String, value: ArraySlice<UInt8>)]
        do {
            members = try JSONReader.members(in: json)
        } catch {
            throw .invalidValue("expected \(error.expected) at byte \(error.offset) of the config")
        }
        var values: [String: ConfigJSON] = [:]
        for (name, value) in members {
            guard let text = String(validating: value, as: UTF8.self) else {
                throw .invalidValue("expected UTF-8 in the value of \(name)")
            }
            values[name] = text == "null" ? nil : ConfigJSON(checked: text)
        }
        return values
    }

    /// Formats an object with sorted keys.
    static func json(of values: [String: ConfigJSON]) -> String {
        let members = values.sorted { $0.key < $1.key }.map { JSONString.json(of: $0.key) + ":" + $0.value.json }
        return "{" + members.joined(separator: ",") + "}"
    }
}
