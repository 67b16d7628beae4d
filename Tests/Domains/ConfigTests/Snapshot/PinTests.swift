import AlmanacRevisions
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Tests the refusals of a snapshot, without a database.
@Suite struct PinTests {
    /// A snapshot of revisions 5 to 43. Major 1 began at revision 1 and is retired, 2 began at 10, 3 at 20.
    private let snapshot = Snapshot(
        head: Head(
            lineage: "k3f9", revision: 43, updatedAt: Timestamp(milliseconds: 0),
            version: SemanticVersion(major: 3, minor: 1, patch: 0), oldestRevision: 5, rewrittenRevision: 0),
        entries: [],
        majors: [
            1: major(SemanticVersion(major: 1, minor: 4, patch: 2), at: 1, isRetired: true),
            2: major(SemanticVersion(major: 2, minor: 3, patch: 1), at: 10),
            3: major(SemanticVersion(major: 3, minor: 1, patch: 0), at: 20),
        ])

    private static func major(_ newest: SemanticVersion, at revision: Int64, isRetired: Bool = false) -> Major {
        Major(
            newest: newest, releasedRevision: revision, lastAskedAt: nil,
            retiredAt: isRetired ? Timestamp(milliseconds: 1) : nil)
    }

    @Test(arguments: ["2", "2.0", "2.3", "2.3.1", "2.2.9", "3", "3.1", "3.1.0", "3.0.7"])
    func `a version that was released may be pinned`(text: String) throws {
        try snapshot.check(try #require(PinnedVersion(text)))
    }

    @Test(arguments: ["0", "4", "2.4", "2.3.2", "3.1.1", "3.2", "999999999", "1.5", "1.4.3"])
    func `a version that was not released is refused`(text: String) throws {
        let pin = try #require(PinnedVersion(text))
        #expect(throws: ConfigRefusal.versionNotReleased(pin, newest: snapshot.head)) { try snapshot.check(pin) }
    }

    @Test(arguments: ["1", "1.4", "1.4.2"]) func `a retired major is not served`(text: String) throws {
        let pin = try #require(PinnedVersion(text))
        #expect(throws: ConfigRefusal.majorNotServed(1)) { try snapshot.check(pin) }
    }

    @Test(
        arguments: [
            ("5", nil, nil), ("43", nil, nil), ("43.k3f9", nil, nil), ("20", "3", nil), ("10", "2", nil),
            ("44", nil, .revisionNotFound(Cursor("44")!, newest: Cursor("43.k3f9")!)),
            ("44", "2", .revisionNotFound(Cursor("44")!, newest: Cursor("43.k3f9")!)),
            ("43.other", nil, .revisionNotFound(Cursor("43.other")!, newest: Cursor("43.k3f9")!)),
            ("4", nil, .revisionTrimmed(oldest: 5)), ("0", "2", .revisionTrimmed(oldest: 5)),
            ("19", "3", .majorReleasedLater(3, at: 20)), ("9", "2", .majorReleasedLater(2, at: 10)),
        ] as [(String, String?, ConfigRefusal?)])
    func `the past is shown as far as it is kept, and to majors that were there`(
        at: String, version: String?, expected: ConfigRefusal?
    ) throws {
        let cursor = try #require(Cursor(at))
        let pin = version.flatMap { PinnedVersion($0) }
        var refusal: ConfigRefusal?
        do throws(ConfigRefusal) { try snapshot.checkPast(cursor, pin) } catch { refusal = error }
        #expect(refusal == expected)
    }
}
