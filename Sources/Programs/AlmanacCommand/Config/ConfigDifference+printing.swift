internal import AlmanacClient
internal import AlmanacJSON

extension ConfigDifference {
    /// One line for each key, with a sign as in a diff.
    var text: String {
        changes.map { change in
            switch (change.before, change.after) {
            case (let before?, let after?): "~ \(change.key): \(before) -> \(after)\n"
            case (nil, let after?): "+ \(change.key): \(after)\n"
            case (let before?, nil): "- \(change.key): \(before)\n"
            case (nil, nil): ""
            }
        }.joined()
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
