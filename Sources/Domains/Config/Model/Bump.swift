/// The part of a version number that a release raises.
enum Bump: Int, Comparable, Sendable {
    /// A value or a description changed, but no key, type or member.
    case patch
    /// A key, or a member inside an object value, was added.
    case minor
    /// A key was removed, a value's type changed, or a member inside an object value was removed or retyped.
    case major

    static func < (left: Bump, right: Bump) -> Bool { left.rawValue < right.rawValue }

    var name: String {
        switch self {
        case .patch: "patch"
        case .minor: "minor"
        case .major: "major"
        }
    }
}
