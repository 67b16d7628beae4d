import AlmanacRevisions
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite struct HeadTests {
    @Test(arguments: [
        ("10", true), ("10.k3f9", true), ("5", true), ("4", false), ("11", false), ("11.k3f9", false),
        ("10.other", false),
        ("5.other", false),
    ])
    func `a head reaches back to what is kept of its own lineage and no further`(text: String, expected: Bool) throws {
        let head = Head(
            lineage: "k3f9", revision: 10, updatedAt: Timestamp(milliseconds: 0), version: .unreleased,
            oldestRevision: 5, rewrittenRevision: 0)
        #expect(head.knowsChanges(since: try #require(Cursor(text))) == expected)
    }
}
