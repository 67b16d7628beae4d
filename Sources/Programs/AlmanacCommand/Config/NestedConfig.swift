internal import AlmanacJSON

/// The form of a config in which keys are split at their dots.
enum NestedConfig {
    /// Returns the values by key.
    ///
    /// - Parameter known: the current config. An object stays whole if its name is a key with an object as value.
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
                    throw CommandFailure(description: "\(place): '\(key)' is null, which is not a value")
                }
                members.append((key, member.value))
            }
        }
        try take(values, "")
        return JSONObject(members)
    }

    /// Returns a member that suggests that an object is nested although it should be flat; nil if none does.
    ///
    /// Such a member is an object whose name is no key yet. It is suspicious if existing keys begin with its name and a
    /// dot, or if the config is empty and no name in the object has a dot.
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
