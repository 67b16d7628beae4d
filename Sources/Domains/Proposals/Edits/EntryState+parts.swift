public import AlmanacJSON

extension EntryState {
    /// Returns the value of a part, or nil if the entry lacks it. A part that is null counts as absent, as in flagd.
    public func value(at path: PartPath) -> JSONValue? {
        let value = stored(at: path)
        return value == .null ? nil : value
    }

    private func stored(at path: PartPath) -> JSONValue? {
        switch path {
        case .whole: value
        case .description: .string(description)
        case .kind: .string(kind.rawValue)
        case .member(let name): kind == .value ? nil : value.objectValue?[name]
        case .part(let group, let name): kind == .value ? nil : value.objectValue?[group]?.objectValue?[name]
        }
    }

    /// The parts of a definition with their values; a whole value for an entry that is no flag.
    var parts: [PartPath: JSONValue] {
        var parts: [PartPath: JSONValue] = [.description: .string(description), .kind: .string(kind.rawValue)]
        guard kind != .value, let members = value.objectValue?.members else {
            parts[.whole] = value
            return parts
        }
        for member in members {
            if kind.grouping.contains(member.name), let group = member.value.objectValue {
                for part in group.members where part.value != .null {
                    parts[.part(of: member.name, part.name)] = part.value
                }
            } else if member.value != .null {
                parts[.member(member.name)] = member.value
            }
        }
        return parts
    }

    /// Returns the entry with other values of parts; nil removes a part. Many parts take linear time.
    func setting(_ parts: [(path: PartPath, value: JSONValue?)]) -> EntryState {
        var state = self
        var members = Changes()
        var groups: [String: Changes] = [:]
        for (path, new) in parts {
            switch path {
            case .whole: state.value = new ?? .null
            case .description: state.description = new?.stringValue ?? ""
            case .kind: state.kind = new?.stringValue.flatMap(Kind.init) ?? kind
            case .member(let name): members[Array(name.utf8)] = .some(new)
            case .part(let group, let name): groups[group, default: Changes()][Array(name.utf8)] = .some(new)
            }
        }
        let definition = state.value.objectValue
        for (group, changes) in groups {
            let object = (definition?[group]?.objectValue ?? JSONObject()).applying(changes)
            // An empty object says nothing, so the member goes with its last part.
            members[Array(group.utf8)] = .some(object.isEmpty ? nil : .object(object))
        }
        if !members.isEmpty { state.value = .object((definition ?? JSONObject()).applying(members)) }
        return state
    }

    /// The new values of members by the bytes of their names; an inner nil removes the member.
    fileprivate typealias Changes = [[UInt8]: JSONValue?]
}

extension JSONObject {
    /// Returns the object with changed members in their places, and new ones at the end in the order of their names.
    fileprivate func applying(_ changes: [[UInt8]: JSONValue?]) -> JSONObject {
        var added = changes
        let present = members.compactMap { member -> (name: String, value: JSONValue)? in
            guard let change = added.removeValue(forKey: Array(member.name.utf8)) else { return member }
            return change.map { (member.name, $0) }
        }
        let new = added.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return JSONObject(
            present + new.compactMap { name, value in value.map { (String(decoding: name, as: UTF8.self), $0) } })
    }
}
