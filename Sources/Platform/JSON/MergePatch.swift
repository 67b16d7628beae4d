/// JSON Merge Patch (RFC 7396).
extension JSONValue {
    /// Returns the document with a patch applied: null members are removed, objects merged, other values replaced.
    public func merging(_ patch: JSONValue) -> JSONValue {
        guard let changes = patch.objectValue else { return patch }
        let existing = objectValue ?? JSONObject([])
        var members: [(name: String, value: JSONValue)] = []
        for member in existing.members {
            switch changes[member.name] {
            case nil: members.append(member)
            case .null: continue
            case let change?: members.append((member.name, member.value.merging(change)))
            }
        }
        for change in changes.members where change.value != .null && existing[change.name] == nil {
            members.append((change.name, JSONValue.null.merging(change.value)))
        }
        return .object(JSONObject(members))
    }

    /// Returns the patch that turns this document into another, or nil if that requires setting a member to null.
    public func mergePatch(to other: JSONValue) -> JSONValue? {
        guard let target = other.objectValue else { return other }
        guard let source = objectValue else {
            if other.hasNullMember { return nil }
            return other
        }
        var patch: [(name: String, value: JSONValue)] = []
        for member in source.members where target[member.name] == nil { patch.append((member.name, .null)) }
        for member in target.members {
            let before = source[member.name]
            if before == member.value { continue }
            if case .null = member.value { return nil }
            // A patch that is an object merges into an object and replaces any other value.
            guard let change = (before ?? .null).mergePatch(to: member.value) else { return nil }
            patch.append((member.name, change))
        }
        return .object(JSONObject(patch))
    }

    /// True if an object in the value, outside of arrays, has a null member.
    private var hasNullMember: Bool {
        guard let object = objectValue else { return false }
        return object.members.contains { $0.value == .null || $0.value.hasNullMember }
    }
}
