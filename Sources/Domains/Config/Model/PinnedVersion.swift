internal import AlmanacHTTP

/// The version that a client was built against: `2`, `2.3` or `2.3.1`. It sees what major 2 sees.
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

    /// The query parameter `version`, nil when it is not given.
    static func requested(_ query: Query) throws(Problem) -> PinnedVersion? {
        guard let text = query["version"] else { return nil }
        guard let version = PinnedVersion(text) else {
            throw Problem(.invalidVersion, "'version' must be a major version such as 2, or 2.3, or 2.3.1")
        }
        return version
    }
}
