import AlmanacEnvironments
import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

@Suite struct LimitPlanTests {
    private static let small = {
        var limits = Limits()
        (limits.noteTitleBytes, limits.noteBodyBytes, limits.notes, limits.accountBytes) = (4, 10, 2, 16)
        return limits
    }()

    /// Plans a new note in an account with a number of other notes and bytes.
    private func creation(_ title: String, _ body: String, notes: Int = 1, bytes: Int64 = 0) throws(NotesRefusal) {
        let stored = StoredNotes(account: .stored(notes: notes, bytes: bytes), limits: Self.small)
        _ = try stored.plan(.create(NoteText(title: title, body: body), .last))
    }

    @Test func `titles, bodies and what they merge to are bounded in bytes`() throws {
        #expect(throws: NotesRefusal.textTooLong(.title, bytes: 7, limit: 4)) { try creation("äääx", "") }
        #expect(throws: NotesRefusal.textTooLong(.body, bytes: 11, limit: 10)) { try creation("", "01234567890") }
        try creation("ää", "0123456789")
        var stored = StoredNotes(
            .stored(title: "ää", body: "0123456789"), account: .stored(bytes: 14), limits: Self.small)
        #expect(throws: NotesRefusal.textTooLong(.body, bytes: 11, limit: 10)) {
            try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [10, "x"]}]"#)
        }
        let same = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [-5, "abcd ", 5]}]"#)
        #expect(same.summary == "updateNote body 'abcd 56789' +0, applied")
        stored.notes = [.stored(title: "ää", body: "abcd 56789", textRevision: 2)]
        stored.history = [("n1", 1, NoteText(title: "ää", body: "0123 56789"))]
        #expect(throws: NotesRefusal.textTooLong(.body, bytes: 11, limit: 10)) {
            try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [10, "x"]}]"#)
        }
    }

    @Test func `the last note that fits is taken, those in the trash counted`() throws {
        try creation("", "", notes: 1)
        #expect(throws: NotesRefusal.tooManyNotes(2, limit: 2)) { try creation("", "", notes: 2) }
        #expect(throws: NotesRefusal.tooManyNotes(3, limit: 2)) { try creation("", "", notes: 3) }
        // The notes of a full account can still be edited.
        let full = StoredNotes(.stored(), account: .stored(notes: 2, bytes: 0), limits: Self.small)
        _ = try full.plan(.put(title: "T", body: nil, .base(.current)))
    }

    @Test func `the last byte that fits an account is taken`() throws {
        try creation("abcd", "01", bytes: 10)
        #expect(throws: NotesRefusal.accountTooLarge(bytes: 17, limit: 16)) { try creation("abcd", "012", bytes: 10) }
        let stored = StoredNotes(.stored(body: "012345"), account: .stored(bytes: 15), limits: Self.small)
        _ = try stored.plan(.put(title: nil, body: "0123456", .base(.current)))
        #expect(throws: NotesRefusal.accountTooLarge(bytes: 17, limit: 16)) {
            try stored.plan(.put(title: nil, body: "01234567", .base(.current)))
        }
    }

    @Test func `an account above its limit takes what makes it no larger`() throws {
        let stored = StoredNotes(.stored(body: "012345"), account: .stored(bytes: 99), limits: Self.small)
        for body in ["01234", "543210"] { _ = try stored.plan(.put(title: nil, body: body, .base(.current))) }
        #expect(throws: NotesRefusal.accountTooLarge(bytes: 100, limit: 16)) {
            try stored.plan(.put(title: nil, body: "0123456", .base(.current)))
        }
        // An empty note adds no bytes.
        try creation("", "", bytes: 99)
    }

    @Test func `going back to an earlier text is bounded like an edit`() throws {
        var stored = StoredNotes(.stored(body: "", textRevision: 2), account: .stored(bytes: 10), limits: Self.small)
        stored.history = [("n1", 1, NoteText(title: "", body: "0123456"))]
        #expect(throws: NotesRefusal.accountTooLarge(bytes: 17, limit: 16)) {
            try stored.plan(.restore(revision: Cursor(revision: 1, lineage: nil)))
        }
    }

    @Test func `a body names at most 1,000 attachments, and fewer in a body that named more`() throws {
        func body(_ ids: Range<Int>) -> String {
            ids.map { "![](attachments/\(Self.attachmentID($0)))" }.joined(separator: " ")
        }
        let stored = StoredNotes(.stored(body: body(0..<1002), textRevision: 3))
        _ = try StoredNotes().plan(.create(NoteText(title: "", body: body(0..<1000) + body(0..<9)), .last))
        #expect(throws: NotesRefusal.tooManyAttachments(1001)) {
            try StoredNotes().plan(.create(NoteText(title: "", body: body(0..<1001)), .last))
        }
        let fewer = try stored.plan(.put(title: nil, body: body(1..<1002), .base(.current)))
        #expect(fewer.references == ReferenceChange(removed: [Self.attachmentID(0)]))
        #expect(throws: NotesRefusal.tooManyAttachments(1001)) {
            try stored.plan(.put(title: nil, body: body(2..<1003), .base(.current)))
        }
    }

    private static func attachmentID(_ number: Int) -> String {
        String(repeating: "a", count: 22)
            + "\(number + 5000)".map { String(Array("bcdefghijk")[$0.wholeNumberValue!]) }.joined()
    }

    @Test func `moves, deletions and returns are free of limits`() throws {
        let full = StoredNotes(
            .stored("n1", body: "0123456789x", isDeleted: true), .stored("n2", position: "a1"),
            account: .stored(notes: 9, bytes: 99), limits: Self.small)
        for change in [Action.Change.move(.last), .restore(revision: nil), .purge] { _ = try full.plan(change) }
        _ = try full.plan(.delete(base: nil), of: "n2")
    }

    @Test func `the character U+0000 is refused wherever it stands`() {
        #expect(throws: NotesRefusal.nulCharacter(.title)) { try creation("\0", "") }
        #expect(throws: NotesRefusal.nulCharacter(.body)) { try creation("", "a\0b") }
        #expect(throws: NotesRefusal.nulCharacter(.title)) {
            try StoredNotes(.stored()).plan(.put(title: "a\0", body: nil, .base(.current)))
        }
    }
}
