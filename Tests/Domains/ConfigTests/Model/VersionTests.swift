import AlmanacHTTP
import Testing

@testable import AlmanacConfigDomain

@Suite struct VersionTests {
    @Test(arguments: [
        (Bump.patch, "1.2.4"), (.minor, "1.3.0"), (.major, "2.0.0"),
    ])
    func `a bump raises one number and resets those behind it`(bump: Bump, expected: String) {
        #expect("\(SemanticVersion(major: 1, minor: 2, patch: 3).bumped(by: bump))" == expected)
    }

    @Test(arguments: [Bump.patch, .minor, .major])
    func `the first release is 1.0.0 whatever it does`(bump: Bump) {
        #expect("\(SemanticVersion.unreleased.bumped(by: bump))" == "1.0.0")
    }

    @Test func `versions are ordered by major, then minor, then patch`() {
        let ascending = [(0, 0, 0), (1, 0, 0), (1, 0, 9), (1, 0, 10), (1, 9, 0), (1, 10, 0), (2, 0, 0), (10, 0, 0)]
            .map { SemanticVersion(major: $0.0, minor: $0.1, patch: $0.2) }
        #expect(ascending.shuffled().sorted() == ascending)
    }

    @Test(arguments: [
        ("2", 2, 0, 0), ("2.3", 2, 3, 0), ("2.3.1", 2, 3, 1), ("0", 0, 0, 0), ("999999999.0.0", 999_999_999, 0, 0),
    ])
    func `one to three numbers pin a version`(text: String, major: Int, minor: Int, patch: Int) throws {
        let pinned = try #require(PinnedVersion(text))
        #expect(pinned.major == major && pinned.minor == minor && pinned.patch == patch)
        #expect(pinned.text == text)
    }

    @Test(arguments: [
        "", ".", "2.", ".2", "2.3.1.0", "v2", "-1", "+1", "2.x", " 2", "2 ", "1000000000", "２", "2..1", "2,3",
        "2.3-beta",
        "99999999999999999999",
    ])
    func `anything else pins nothing and is refused as a parameter`(text: String) throws {
        #expect(PinnedVersion(text) == nil)
        let escaped = text.utf8.map { "%" + String($0 + 0, radix: 16).padded }.joined()
        let query = try Target("/?version=\(escaped)").query
        #expect(throws: Problem.self) { try PinnedVersion.requested(query) }
    }

    @Test func `without the parameter nothing is pinned`() throws {
        #expect(try PinnedVersion.requested(try Target("/").query) == nil)
    }
}

extension String {
    fileprivate var padded: String { utf8.count < 2 ? "0" + self : self }
}
