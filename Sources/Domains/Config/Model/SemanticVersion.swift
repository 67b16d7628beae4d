/// The version of a release (Semantic Versioning 2.0.0, without pre-release and build parts).
///
/// `0.0.0` stands for an environment without a release.
struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    var major: Int
    var minor: Int
    var patch: Int

    static let unreleased = SemanticVersion(major: 0, minor: 0, patch: 0)

    static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    var description: String { "\(major).\(minor).\(patch)" }

    /// Returns the version of the next release, which is always 1.0.0 for the first release.
    func bumped(by bump: Bump) -> SemanticVersion {
        if self == .unreleased { return SemanticVersion(major: 1, minor: 0, patch: 0) }
        return switch bump {
        case .major: SemanticVersion(major: major + 1, minor: 0, patch: 0)
        case .minor: SemanticVersion(major: major, minor: minor + 1, patch: 0)
        case .patch: SemanticVersion(major: major, minor: minor, patch: patch + 1)
        }
    }
}

/// The version that a client was built against: `2`, `2.3` or `2.3.1`. A client of any of these sees major 2.
struct PinnedVersion: Equatable, Sendable {
    let major: Int
    let minor: Int
    let patch: Int
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }) else {
                return nil
            }
            return Int(part)
        }
        guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
        major = numbers[0]
        minor = numbers.count > 1 ? numbers[1] : 0
        patch = numbers.count > 2 ? numbers[2] : 0
        self.text = text
    }
}
