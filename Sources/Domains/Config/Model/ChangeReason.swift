internal import AlmanacJSON

/// The reason for a version bump by one key's change: the first found among the reasons with the highest bump.
enum ChangeReason: Equatable, Sendable {
    case added
    case removed
    case retyped(from: JSONType, to: JSONType)
    case kindChanged(from: EntryKind, to: EntryKind)
    case memberRemoved(path: [String])
    case memberRetyped(path: [String], from: JSONType, to: JSONType)
    case memberAdded(path: [String])
    case valueChanged
    case descriptionChanged

    /// Finds the reason for replacing a key's value. Nil stands for a missing key.
    ///
    /// - Parameter kinds: The kinds of the two values.
    /// - Precondition: `before` and `after` are not both nil.
    init(from before: JSONValue?, to after: JSONValue?, kinds: (before: EntryKind, after: EntryKind) = (.value, .value))
    {
        switch (before, after) {
        case (_, nil): self = .removed
        case (nil, _): self = .added
        case (let before?, let after?):
            if kinds.before != kinds.after {
                self = .kindChanged(from: kinds.before, to: kinds.after)
            } else if let found = Self.reason(replacing: before, by: after, of: kinds.after) {
                self = found
            } else {
                self = before == after ? .descriptionChanged : .valueChanged
            }
        }
    }

    var bump: Bump {
        switch self {
        case .removed, .retyped, .kindChanged, .memberRemoved, .memberRetyped: .major
        case .added, .memberAdded: .minor
        case .valueChanged, .descriptionChanged: .patch
        }
    }

    /// Returns the reason for a change in a value. Apps depend on variants; flags refer to shared rules by name.
    private static func reason(replacing before: JSONValue, by after: JSONValue, of kind: EntryKind) -> ChangeReason? {
        let part: String
        switch kind {
        case .value: return memberReason(replacing: before, by: after, at: [])
        case .flag: part = "variants"
        case .flagSet: part = "$evaluators"
        }
        let old = before.objectValue?[part]?.objectValue ?? JSONObject()
        let new = after.objectValue?[part]?.objectValue ?? JSONObject()
        if kind == .flag { return memberReason(replacing: .object(old), by: .object(new), at: [part]) }
        // A changed rule counts only through the flags that use it.
        if let gone = old.members.first(where: { new[$0.name] == nil }) {
            return .memberRemoved(path: [part, gone.name])
        }
        return new.members.first { old[$0.name] == nil }.map { .memberAdded(path: [part, $0.name]) }
    }

    /// Compares two values. Members of objects count like keys at every depth, but elements of arrays do not.
    ///
    /// - Returns: nil if only values changed.
    private static func memberReason(
        replacing before: JSONValue, by after: JSONValue, at path: [String]
    ) -> ChangeReason? {
        guard before.type == after.type else {
            return path.isEmpty
                ? .retyped(from: before.type, to: after.type)
                : .memberRetyped(path: path, from: before.type, to: after.type)
        }
        guard let old = before.objectValue, let new = after.objectValue else { return nil }
        var addition: ChangeReason?
        for member in old.members {
            let place = path + [member.name]
            guard let value = new[member.name] else { return .memberRemoved(path: place) }
            guard let reason = memberReason(replacing: member.value, by: value, at: place) else { continue }
            if reason.bump == .major { return reason }
            addition = addition ?? reason
        }
        if let addition { return addition }
        return new.members.first { old[$0.name] == nil }.map { .memberAdded(path: path + [$0.name]) }
    }
}
