import AlmanacRevisions
import AlmanacTestSupport
import Testing

@testable import AlmanacNotes

/// What is written for the server, given to the server.
@Suite struct WireTests {
    @Test(arguments: [
        ("milk", "oat milk\nbread"), ("👩‍👩‍👧 a\u{301}", "👩‍👧 á"),
        ("", "\"\\/\u{1}\u{2028}\u{FEFF}"), ("all of it", ""),
    ])
    func `an update that spells out its base is taken without one`(old: String, new: String) async throws {
        let user = try await SimulatedUser("wire")
        var record = NoteRecord(id: "n1", text: StoredNote.Text(title: "t", body: old), createdAt: 0, updatedAt: 0)
        let begun = record.beginAction(id: "a1")
        let creation = try #require(begun)
        try await user.act("[\(String(decoding: try WireAction(creation, of: record).bytes, as: UTF8.self))]")
        _ = record.receive(
            .accepted(NoteRecord.ServerState(cursor: Cursor(revision: 1, lineage: "k3f9"))), ofAction: "a1")
        record.edit(StoredNote.Text(title: "T", body: new), at: 1)
        record.spellsBase = true
        let begunAgain = record.beginAction(id: "a2")
        let update = try #require(begunAgain)
        #expect(update.kind == .spelledUpdate)
        try await user.act("[\(String(decoding: try WireAction(update, of: record).bytes, as: UTF8.self))]")
        let note = try await user.read("notes/n1")
        #expect(note.text("title") == "T")
        #expect(note.text("body").map { Array($0.utf8) } == Array(new.utf8))
    }
}
