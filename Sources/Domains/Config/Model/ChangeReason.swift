internal import AlmanacJSON

/// Why the change of one key raises the version as it does: the first thing found of those that count most.
enum ChangeReason: Equatable, Sendable {
    case added
    case removed
    case retyped(from: JSONType, to: JSONType)
    case memberRemoved(path: [String])
    case memberRetyped(path: [String], from: JSONType, to: JSONType)
    case memberAdded(path: [String])
    case valueChanged
    case descriptionChanged

    /// The reason for replacing one value of a key by another; nil stands for a key that isn't there.
    ///
    /// - Precondition: not both are nil.
    init(from before: JSONValue?, to after: JSONValue?) {
        switch (before, after) {
        case (_, nil): self = .removed
        case (nil, _): self = .added
        case (let before?, let after?):
            if let found = Self.memberReason(replacing: before, by: after, at: []) {
                self = found
            } else {
                self = before == after ? .descriptionChanged : .valueChanged
            }
        }
    }

    var bump: Bump {
        switch self {
        case .removed, .retyped, .memberRemoved, .memberRetyped: .major
        case .added, .memberAdded: .minor
        case .valueChanged, .descriptionChanged: .patch
        }
    }

    /// Members inside objects count like keys, at every depth; the elements of arrays are values only.
    ///
    /// - Returns: nil where nothing but values has changed.
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
