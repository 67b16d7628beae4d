internal import AlmanacJSON

/// The form of a config in which keys are split at their dots.
enum NestedConfig {
    /// The values by key.
    ///
    /// - Parameter known: the present config. What is a key there, with an object for its value, is one here.
    static func flattened(_ values: JSONObject, known: JSONObject, _ place: String) throws -> JSONObject {
        var members: [(name: String, value: JSONValue)] = []
        func take(_ object: JSONObject, _ prefix: String) throws {
            for member in object.members {
                let key = prefix + member.name
                if let inner = member.value.objectValue, !inner.isEmpty, known[key]?.objectValue == nil {
                    try take(inner, key + ".")
                    continue
                }
                do { try Arguments.checkKey(key) } catch { throw CommandFailure(description: "\(place): \(error)") }
                guard member.value != .null else {
                    throw CommandFailure(description: "\(place): '\(key)' is null, which is no value")
                }
                members.append((key, member.value))
            }
        }
        try take(values, "")
        return JSONObject(members)
    }

    /// A member for which an object that was meant to be flat seems to be nested; nil where nothing hints at that.
    ///
    /// It would become a key with an object as its value: where there are keys that begin with its name, or, in a
    /// config without any key, where none of the names has a dot.
    static func suspicion(_ values: JSONObject, known: JSONObject) -> String? {
        let isBare = known.isEmpty && !values.members.contains { $0.name.contains(".") }
        return values.members.first { member in
            guard let object = member.value.objectValue, !object.isEmpty, known[member.name] == nil else {
                return false
            }
            return isBare || known.members.contains { $0.name.hasPrefix(member.name + ".") }
        }?.name
    }
}
