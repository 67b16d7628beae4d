import AlmanacRevisions
import Testing

@Suite struct CursorTests {
    @Test(
        arguments: [
            ("0", 0, nil), ("43", 43, nil), ("43.k3f9", 43, "k3f9"), ("043", 43, nil),
            ("999999999999999999.0123456789abcdef01234567", 999_999_999_999_999_999, "0123456789abcdef01234567"),
        ] as [(String, Int64, String?)])
    func `a revision with or without a lineage is a cursor`(text: String, revision: Int64, lineage: String?) throws {
        let cursor = try #require(Cursor(text))
        #expect(cursor == Cursor(revision: revision, lineage: lineage))
    }

    @Test(arguments: [
        "", ".", "43.", ".k3f9", "43.k3f", "43.k3f9k3f9k3f9k3f9k3f9k3f9k", "43.K3F9", "43.k3f9.1", "43.k3 9", "-1",
        "+1", "4 3",
        "4e1",
        "1000000000000000000", "99999999999999999999", "２", "2020-10-17T18:43:19.000Z",
    ])
    func `anything else is none`(text: String) {
        #expect(Cursor(text) == nil)
    }

    @Test func `a written cursor is read back`() {
        for cursor in [Cursor(revision: 43, lineage: "k3f9"), Cursor(revision: 0, lineage: nil)] {
            #expect(Cursor("\(cursor)") == cursor)
        }
    }
}
