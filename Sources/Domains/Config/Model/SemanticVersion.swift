/// The version of a release (Semantic Versioning 2.0.0, without pre-release and build parts).
///
/// `0.0.0` stands for an environment that has released nothing yet.
struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    var major: Int
    var minor: Int
    var patch: Int

    static let unreleased = SemanticVersion(major: 0, minor: 0, patch: 0)

    static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    var description: String { "\(major).\(minor).\(patch)" }

    /// The version of the next release; the first one is 1.0.0 whatever it holds.
    func bumped(by bump: Bump) -> SemanticVersion {
        if self == .unreleased { return SemanticVersion(major: 1, minor: 0, patch: 0) }
        return switch bump {
        case .major: SemanticVersion(major: major + 1, minor: 0, patch: 0)
        case .minor: SemanticVersion(major: major, minor: minor + 1, patch: 0)
        case .patch: SemanticVersion(major: major, minor: minor, patch: patch + 1)
        }
    }
}

/// Which number of a version a release raises.
enum Bump: Int, Comparable, Sendable {
    /// Values only.
    case patch
    /// A key, or a member inside an object value, was added.
    case minor
    /// A key was removed, a value's type changed, or a member inside an object value was removed or retyped.
    case major

    static func < (left: Bump, right: Bump) -> Bool { left.rawValue < right.rawValue }
}
