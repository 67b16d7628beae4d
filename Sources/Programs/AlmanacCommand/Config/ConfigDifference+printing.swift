internal import AlmanacClient
internal import AlmanacJSON

extension ConfigDifference {
    /// Returns a line per key, with a sign as in a diff.
    func text(_ style: OutputStyle) -> String { changes.map { $0.text(style) }.joined() }

    /// Returns the line of a key; nil means no value.
    static func line(_ key: String, from before: JSONValue?, to after: JSONValue?, _ style: OutputStyle) -> String {
        switch (before, after) {
        case (let before?, let after?): style.paint("~ \(key): \(before) -> \(after)", .changed) + "\n"
        case (nil, let after?): style.paint("+ \(key): \(after)", .added) + "\n"
        case (let before?, nil): style.paint("- \(key): \(before)", .removed) + "\n"
        case (nil, nil): ""
        }
    }

    /// An array with an object per key; `before` and `after` are omitted if there is no value.
    var json: JSONValue {
        .array(
            changes.map { change in
                var members: [(name: String, value: JSONValue)] = [("key", .string(change.key))]
                if let kind = change.kind { members.append(("kind", .string(kind))) }
                if change.before != nil, change.after != nil, change.kindBefore != change.kindAfter {
                    members.append(("kind_before", .string(change.kindBefore ?? "value")))
                }
                if let before = change.before { members.append(("before", before)) }
                if let after = change.after { members.append(("after", after)) }
                if let description = change.description { members.append(("description", .string(description))) }
                return .object(JSONObject(members))
            })
    }
}

extension ConfigDifference.Change {
    /// Returns one line, or for a changed flag one line per changed member of its definition, and a line if a release
    /// changed the description.
    func text(_ style: OutputStyle) -> String {
        guard let descriptionBefore else { return valueText(style) }
        return (before == after && kindBefore == kindAfter ? "" : valueText(style))
            + ConfigDifference.line(
                "description of \(key)", from: .string(descriptionBefore), to: description.map { .string($0) }, style)
    }

    private func valueText(_ style: OutputStyle) -> String {
        let isOther = before != nil && after != nil && kindBefore != kindAfter
        let was = isOther ? ", was \(kindBefore ?? "value")" : ""
        let name = kind == nil && !isOther ? key : "\(key) (\(kind ?? "value")\(was))"
        if before == after, kindBefore == kindAfter {
            return description.map { ConfigDifference.line("description of \(key)", from: nil, to: .string($0), style) }
                ?? ""
        }
        guard kind != nil, kindBefore == kindAfter, let before, let after else {
            return ConfigDifference.line(name, from: before, to: after, style)
        }
        return Self.lines("\(name) ", before, after, style)
    }

    /// Returns the changed members, named by JSON pointers. A targeting rule is one member.
    private static func lines(_ path: String, _ before: JSONValue?, _ after: JSONValue?, _ style: OutputStyle) -> String
    {
        if before == after { return "" }
        guard let old = before?.objectValue, let new = after?.objectValue, !path.hasSuffix("/targeting") else {
            return ConfigDifference.line(path, from: before, to: after, style)
        }
        let names = old.members.map(\.name) + new.members.map(\.name).filter { old[$0] == nil }
        return names.map { name in
            let part = name.replacing("~", with: "~0").replacing("/", with: "~1")
            return lines("\(path)/\(part)", old[name], new[name], style)
        }.joined()
    }
}
