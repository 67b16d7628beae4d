internal import AlmanacJSON

/// Which number of a version a release raises.
enum Bump: Int, Comparable, Sendable {
    /// Values only.
    case patch
    /// A key, or a member inside an object value, was added.
    case minor
    /// A key was removed, a value's type changed, or a member inside an object value was removed or retyped.
    case major

    static func < (left: Bump, right: Bump) -> Bool { left.rawValue < right.rawValue }

    /// The bump that replacing one value of a key by another asks for; nil stands for a key that isn't there.
    ///
    /// - Precondition: not both are nil.
    init(from before: JSONValue?, to after: JSONValue?) {
        switch (before, after) {
        case (_, nil): self = .major
        case (nil, _): self = .minor
        case (let before?, let after?): self = Bump.replacing(before, by: after)
        }
    }

    /// Members inside objects count like keys, at every depth; the elements of arrays are values only.
    private static func replacing(_ before: JSONValue, by after: JSONValue) -> Bump {
        guard before.type == after.type else { return .major }
        guard let old = before.objectValue, let new = after.objectValue else { return .patch }
        var bump = Bump.patch
        for member in old.members {
            guard let value = new[member.name] else { return .major }
            bump = max(bump, replacing(member.value, by: value))
            if bump == .major { return .major }
        }
        let added = new.members.contains { old[$0.name] == nil }
        return max(bump, added ? .minor : .patch)
    }
}
