public import AlmanacJSON

/// The changes that turn one config into another, by key.
public struct ConfigDifference: Sendable {
    /// The change of one key.
    public struct Change: Sendable {
        public let key: String
        /// The old value; nil for a new key.
        public let before: JSONValue?
        /// The new value; nil for a removed key.
        public let after: JSONValue?
        /// The old kind, such as `flag`; nil for a plain value and for a new key.
        public let kindBefore: String?
        /// The new kind; nil for a plain value and for a removed key.
        public let kindAfter: String?
        /// The new description; nil if it isn't known to change.
        public let description: String?
        /// The old description, if a release changed or removed it.
        public let descriptionBefore: String?

        init(
            key: String, before: JSONValue?, after: JSONValue?, kindBefore: String? = nil, kindAfter: String? = nil,
            description: String? = nil, descriptionBefore: String? = nil
        ) {
            (self.key, self.before, self.after) = (key, before, after)
            (self.kindBefore, self.kindAfter) = (kindBefore, kindAfter)
            (self.description, self.descriptionBefore) = (description, descriptionBefore)
        }

        /// Creates a change from a change of a release.
        public init(_ document: JSONObject) {
            let kind = document["kind"]?.stringValue
            let (before, after) = (document["before"].flatMap { $0 == .null ? nil : $0 }, document["after"])
            let earlier = document["kind_before"]?.stringValue ?? kind
            self.init(
                key: document["key"]?.stringValue ?? "", before: before,
                after: after.flatMap { $0 == .null ? nil : $0 },
                kindBefore: before == nil ? nil : earlier.flatMap(ConfigState.special), kindAfter: kind,
                description: document["description"]?.stringValue,
                descriptionBefore: document["description_before"]?.stringValue)
        }

        /// The kind of the entry, such as `flag`; nil for a plain value.
        public var kind: String? { after == nil ? kindBefore : kindAfter }
    }

    /// The changes, sorted by key.
    public let changes: [Change]

    public var isEmpty: Bool { changes.isEmpty }

    init(_ changes: [Change]) { self.changes = changes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }

    /// - Parameter keepsMissingKeys: true to keep keys that `after` doesn't have; false to remove them.
    public init(from before: JSONObject, to after: JSONObject, keepsMissingKeys: Bool = false) {
        var changes: [Change] = []
        for member in after.members where before[member.name] != member.value {
            changes.append(Change(key: member.name, before: before[member.name], after: member.value))
        }
        if !keepsMissingKeys {
            for member in before.members where after[member.name] == nil {
                changes.append(Change(key: member.name, before: member.value, after: nil))
            }
        }
        self.init(changes)
    }

    /// Creates the difference between two states, including kinds.
    public init(from before: ConfigState, to after: ConfigState) {
        var changes = after.values.members.compactMap { member -> Change? in
            let key = member.name
            let change = Change(
                key: key, before: before.values[key], after: member.value, kindBefore: before.kinds[key],
                kindAfter: after.kinds[key])
            return change.before == change.after && change.kindBefore == change.kindAfter ? nil : change
        }
        for member in before.values.members where after.values[member.name] == nil {
            changes.append(
                Change(key: member.name, before: member.value, after: nil, kindBefore: before.kinds[member.name]))
        }
        self.init(changes)
    }

    /// Creates the difference for one changed entry.
    ///
    /// - Parameter kind: `value` or `flag`; nil leaves the kind unchanged.
    public init(from before: ConfigState, setting key: String, to value: JSONValue, kind: String?) {
        let entry: JSONObject = JSONObject([("value", value)] + (kind.map { [("kind", .string($0))] } ?? []))
        let difference = ConfigDifference(replacing: before, withEntries: JSONObject([(key, .object(entry))]))
        self.init(difference.changes.filter { $0.before != $0.after || $0.kindBefore != $0.kindAfter })
    }

    /// Creates the difference for entries with value, kind and description. A null entry removes its key.
    public init(replacing before: ConfigState, withEntries entries: JSONObject) {
        self.init(
            entries.members.map { member in
                let (key, entry) = (member.name, member.value.objectValue)
                let (value, kind) = (before.values[key], before.kinds[key])
                let kindAfter = entry?["kind"].map { $0.stringValue.flatMap(ConfigState.special) } ?? kind
                return Change(
                    key: key, before: value, after: entry.flatMap { $0["value"] ?? value }, kindBefore: kind,
                    kindAfter: entry == nil ? nil : kindAfter, description: entry?["description"]?.stringValue)
            })
    }

    /// Creates the difference for a merge patch.
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

    /// Creates the difference for complete new values. Null removes a key.
    init(replacing before: JSONObject, with values: JSONObject) {
        self.init(
            values.members.map { member in
                Change(key: member.name, before: before[member.name], after: member.value == .null ? nil : member.value)
            })
    }

    /// Returns true if the changed keys still have their old values, whatever the other keys have.
    public func fits(_ values: JSONObject) -> Bool { changes.allSatisfy { values[$0.key] == $0.before } }

    /// Returns true if the changed keys still have their old values and kinds.
    public func fits(_ state: ConfigState) -> Bool {
        fits(state.values) && changes.allSatisfy { state.kinds[$0.key] == $0.kindBefore }
    }

    /// Returns only the changes of these keys.
    public func limited(to keys: [String]) -> ConfigDifference {
        ConfigDifference(changes.filter { change in keys.contains { $0.utf8.elementsEqual(change.key.utf8) } })
    }

    /// The query and body of a single `PATCH` with all changes: a merge patch if possible, otherwise complete values,
    /// or complete entries if a kind or description changes.
    var write: (query: [(name: String, value: String)], json: JSONValue) {
        if changes.contains(where: { $0.kindAfter != nil || $0.kindBefore != nil || $0.description != nil }) {
            let entries = changes.map { (name: $0.key, value: Self.entry($0)) }
            return ([("replace", "true"), ("form", "entries")], .object(JSONObject(entries)))
        }
        if let patch = try? patch() { return ([], patch) }
        return ([("replace", "true")], .object(JSONObject(changes.map { (name: $0.key, value: $0.after ?? .null) })))
    }

    /// Returns the change of a key in the format of `form=entries`.
    private static func entry(_ change: Change) -> JSONValue {
        guard let value = change.after else { return .null }
        var members: [(name: String, value: JSONValue)] = [("value", value)]
        if change.kindAfter != nil || change.kindBefore != nil {
            members.append(("kind", .string(change.kindAfter ?? ConfigState.plainKind)))
        }
        if let description = change.description { members.append(("description", .string(description))) }
        return .object(JSONObject(members))
    }

    /// Returns the merge patch (RFC 7396) for all changes.
    ///
    /// - Throws: `.refused` with the keys whose new values contain null members, which a merge patch cannot set.
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
                "nothing was changed: a release of several keys cannot set a member to null; set them one by one "
                    + "with 'almanac config set': \(impossible.joined(separator: ", "))")
        }
        return .object(JSONObject(members))
    }
}
