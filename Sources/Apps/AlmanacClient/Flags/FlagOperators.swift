public import AlmanacJSON
internal import AlmanacTargeting

extension StoredFlagSet {
    /// The flags that flagd evaluates in another way or not at all, each with the names that flagd does not know, in
    /// the order of the document.
    public var flagsBeyondFlagd: [(key: String, names: [String])] {
        let evaluators = document["$evaluators"]?.objectValue ?? JSONObject()
        return state.values.members.compactMap { key, definition in
            guard key != "_flags", let definition = definition.objectValue else { return nil }
            var names: [String] = []
            var rules: Set<String> = []
            func look(at value: JSONValue) {
                switch value {
                case .array(let elements): for element in elements { look(at: element) }
                case .object(let object):
                    for (name, operand) in object.members {
                        if name.hasPrefix("almanac."), !names.contains(name) { names.append(name) }
                        let referred = operand.stringValue ?? operand.arrayValue?.first?.stringValue
                        if name == "$ref", let referred, rules.insert(referred).inserted {
                            look(at: evaluators[referred] ?? .null)
                        }
                        look(at: operand)
                    }
                default: break
                }
            }
            look(at: definition["targeting"] ?? .null)
            if definition["metadata"]?.objectValue?["almanac.off"] != nil { names.append("almanac.off") }
            return names.isEmpty ? nil : (key, names)
        }
    }
}

/// A flag's definition with Almanac's own split instead of another system's.
public enum FlagOwnSplit {
    /// Returns the definition whose splits have the same shares by Almanac's own hash; nil if it has no split of
    /// another system. Many callers get another variant.
    public static func definition(_ definition: JSONObject) -> JSONObject? {
        guard let targeting = definition["targeting"], let rule = try? FlagValue(json: targeting.description),
            let own = try? JSONValue(parsing: Array(rule.withOwnSplits.json.utf8)), own != targeting
        else { return nil }
        return definition.setting("targeting", own)
    }
}
