public import AlmanacJSON

/// The changes that make one config equal to another, key by key.
public struct ConfigDifference: Sendable {
    /// The change of one key.
    public struct Change: Sendable {
        public let key: String
        /// Nil for a key that is new.
        public let before: JSONValue?
        /// Nil for a key that is removed.
        public let after: JSONValue?
    }

    /// Ordered by key.
    public let changes: [Change]

    public var isEmpty: Bool { changes.isEmpty }

    init(_ changes: [Change]) {
        self.changes = changes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// - Parameter keepsOthers: leaves keys alone that `after` doesn't have, instead of removing them.
    public init(from before: JSONObject, to after: JSONObject, keepsOthers: Bool = false) {
        var changes: [Change] = []
        for member in after.members where before[member.name] != member.value {
            changes.append(Change(key: member.name, before: before[member.name], after: member.value))
        }
        if !keepsOthers {
            for member in before.members where after[member.name] == nil {
                changes.append(Change(key: member.name, before: member.value, after: nil))
            }
        }
        self.init(changes)
    }

    /// The difference that a merge patch over a config makes.
    init(patching before: JSONObject, with patch: JSONObject) {
        self.init(
            patch.members.compactMap { member in
                guard member.value != .null else {
                    return before[member.name].map { Change(key: member.name, before: $0, after: nil) }
                }
                let after = (before[member.name] ?? .null).merging(member.value)
                return Change(key: member.name, before: before[member.name], after: after)
            })
    }

    /// The difference that whole values make of a config; null takes a key out.
    init(replacing before: JSONObject, with values: JSONObject) {
        self.init(
            values.members.map { member in
                Change(
                    key: member.name, before: before[member.name], after: member.value == .null ? nil : member.value)
            })
    }

    /// Whether the keys that it changes have the values from which it was worked out, whatever the others have.
    public func fits(_ values: JSONObject) -> Bool {
        changes.allSatisfy { values[$0.key] == $0.before }
    }

    /// The changes of these keys, and no others.
    public func limited(to keys: [String]) -> ConfigDifference {
        ConfigDifference(changes.filter { change in keys.contains { $0.utf8.elementsEqual(change.key.utf8) } })
    }

    /// The body of the one `PATCH` that makes the changes, with its query: a merge patch where that can say them, and
    /// whole values otherwise.
    var write: (query: [(name: String, value: String)], json: JSONValue) {
        if let patch = try? patch() { return ([], patch) }
        return (
            [("replace", "true")], .object(JSONObject(changes.map { (name: $0.key, value: $0.after ?? .null) }))
        )
    }

    /// The merge patch (RFC 7396) that makes the changes in one release.
    ///
    /// - Throws: `.refused` naming the keys whose new values have members that are null, which a patch cannot set.
    public func patch() throws(CallFailure) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        var impossible: [String] = []
        for change in changes {
            guard let after = change.after else {
                members.append((change.key, .null))
                continue
            }
            if let value = (change.before ?? .null).mergePatch(to: after) {
                members.append((change.key, value))
            } else {
                impossible.append(change.key)
            }
        }
        guard impossible.isEmpty else {
            throw CallFailure(
                .refused,
                "nothing was changed: one release of many keys cannot set a member to null; set these one by one with "
                    + "'almanac config set': \(impossible.joined(separator: ", "))")
        }
        return .object(JSONObject(members))
    }
}
