internal import AlmanacClient
internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacTargeting

extension PresentConfig {
    /// Creates the config before an import from a state of the server.
    init(_ state: ConfigState) throws {
        self.init()
        for member in state.values.members {
            let value = try FlagValue(json: member.value.serialized(), maxDepth: 1024)
            switch (state.kinds[member.name], value) {
            case (nil, let value): entries[member.name] = value
            case ("flag-set"?, .object(let settings)): self.settings = settings
            case ("flag"?, .object(let definition)): flags[member.name] = definition
            default: break
            }
        }
    }
}

extension JSONValue {
    init(_ value: FlagValue) throws {
        var limits = JSONLimits()
        (limits.bytes, limits.depth) = (.max, 1024)
        self = try JSONValue(parsing: Array(value.json.utf8), limits: limits)
    }
}

extension JSONObject {
    init(_ object: FlagObject) throws { self = try JSONValue(.object(object)).objectValue ?? JSONObject() }
}

extension ConfigDifference {
    /// Creates the difference that an import writes.
    init(_ merge: ImportMerge, from state: ConfigState) throws {
        let entries = try merge.changes.map { change in
            var members: [(name: String, value: JSONValue)] = [
                ("value", try JSONValue(change.value)), ("kind", .string(change.kind.rawValue)),
            ]
            if let description = change.description { members.append(("description", .string(description))) }
            return (name: change.key, value: JSONValue.object(JSONObject(members)))
        }
        self.init(replacing: state, withEntries: JSONObject(entries))
    }
}
