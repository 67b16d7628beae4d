import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

/// Tests which cursors are valid in an account's history.
@Suite struct AccountHistoryTests {
    private let account = Account.stored(revision: 9, oldestRevision: 3)

    @Test(arguments: [
        ("3", true), ("9", true), ("2", false), ("10", false), ("9.k3f9k3f9", true), ("9.abcdefgh", false),
        ("0", false),
    ])
    func `changes are known since the oldest revision that is kept`(text: String, isReached: Bool) throws {
        #expect(account.reaches(try #require(Cursor(text))) == isReached)
    }

    @Test func `a client that has seen nothing is reached while nothing is lost`() throws {
        for text in ["0", "0.k3f9k3f9", "0.abcdefgh"] {
            #expect(Account.stored(oldestRevision: 0).reaches(try #require(Cursor(text))))
            #expect(!Account.stored(oldestRevision: 1).reaches(try #require(Cursor(text))))
        }
    }

    @Test(
        arguments: [
            ("3", nil), ("9", nil), ("9.k3f9k3f9", nil), ("10", .revisionInFuture(10, newest: 9)),
            ("2", .revisionTrimmed(oldest: 3)), ("0", .revisionTrimmed(oldest: 3)),
            ("4.abcdefgh", .wrongLineage(Cursor(revision: 4, lineage: "abcdefgh"))),
            ("99.abcdefgh", .wrongLineage(Cursor(revision: 99, lineage: "abcdefgh"))),
        ] as [(String, NotesRefusal?)])
    func `a text at a revision that the history doesn't know is refused`(text: String, refusal: NotesRefusal?) throws {
        let cursor = try #require(Cursor(text))
        if let refusal {
            #expect(throws: refusal) { try account.check(cursor) }
        } else {
            try account.check(cursor)
        }
    }

    @Test func `a note's text at a revision is its own unless that is older`() throws {
        let note = Note.stored(body: "now", textRevision: 5)
        let before = NoteText(title: "", body: "before")
        for revision in 5...9 {
            let cursor = Cursor(revision: Int64(revision), lineage: nil)
            #expect(try note.text(at: cursor, in: account, historical: .available(before)).body == "now")
        }
        let older = Cursor(revision: 4, lineage: nil)
        #expect(try note.text(at: older, in: account, historical: .available(before)) == before)
        #expect(throws: NotesRefusal.revisionBeforeNote("n1", revision: 4)) {
            try note.text(at: older, in: account, historical: .none)
        }
    }

    @Test func `an account is as far as its last change`() {
        let now = AccountState(account, after: .stored(textRevision: 10))
        #expect(now.cursor == Cursor(revision: 10, lineage: "k3f9k3f9") && AccountState(account).cursor.revision == 9)
    }
}
