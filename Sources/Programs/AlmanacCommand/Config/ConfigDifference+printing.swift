internal import AlmanacClient
internal import AlmanacJSON

extension ConfigDifference {
    /// One line for each key, with a sign as in a diff.
    func text(_ style: OutputStyle) -> String {
        changes.map { Self.line($0.key, from: $0.before, to: $0.after, style) }.joined()
    }

    /// The line of a key; nil stands for no value.
    static func line(_ key: String, from before: JSONValue?, to after: JSONValue?, _ style: OutputStyle) -> String {
        switch (before, after) {
        case (let before?, let after?): style.paint("~ \(key): \(before) -> \(after)", .changed) + "\n"
        case (nil, let after?): style.paint("+ \(key): \(after)", .added) + "\n"
        case (let before?, nil): style.paint("- \(key): \(before)", .removed) + "\n"
        case (nil, nil): ""
        }
    }

    /// An array with an object for each key, `before` and `after` left out where there is none.
    var json: JSONValue {
        .array(
            changes.map { change in
                var members: [(name: String, value: JSONValue)] = [("key", .string(change.key))]
                if let before = change.before { members.append(("before", before)) }
                if let after = change.after { members.append(("after", after)) }
                return .object(JSONObject(members))
            })
    }
}
