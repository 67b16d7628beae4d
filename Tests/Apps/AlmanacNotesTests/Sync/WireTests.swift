import AlmanacRevisions
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

/// Tests that send the library's actions to the server.
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

    @Test(arguments: ["", "Saturday"], [true, false])
    func `an update that spells out its base brings what others have made of parts that it leaves alone`(
        title: String, editsBody: Bool
    ) async throws {
        let user = try await SimulatedUser("wire")
        let real = try Instance.current().transport
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            guard request.method == "POST", let action = Sent(request), action.name == "updateNote" else {
                return try await real.open(request)
            }
            if action.hasBase {
                // A server that has pruned the note's history responds like this.
                let problem = #"{"type": "urn:almanac:problem:revision-not-kept", "status": 409}"#
                return .text(
                    #"{"results": [{"action_id": "\#(action.id)", "status": "rejected", "problem": \#(problem)}]}"#)
            }
            do {
                try await user.act(
                    #"[["updateNote", {"id": "\#(action.noteID)", "title": [[0, "\#(title)"], [1, "!"]], "#
                        + #""tags": {"add": ["shop"]}}]]"#)
            } catch {
                throw .unreachable("\(error)")
            }
            return try await real.open(request)
        }
        let folder = try Folder()
        let store = try folder.open("a.db", user.server(behind: transport))
        let note = try await store.create(title: title, body: "milk", tags: ["home"]).id
        try await store.sync()
        try await store.edit(note) { text in
            if editsBody { text.body = "oat milk" } else { text.isPinned = true }
        }
        try await store.sync()
        let here = try #require(try await store.note(note))
        #expect(here.title == "\(title)!")
        #expect(here.body == (editsBody ? "oat milk" : "milk"))
        #expect(here.tags == ["home", "shop"])
        #expect(here.isPinned != editsBody)
        let there = try await user.read("notes/\(note)")
        #expect(there.text("title") == here.title)
        #expect(there.text("body") == here.body)
        #expect(there.texts("tags") == here.tags)
        #expect(here.status == .onServer)
    }

    /// The first action of a batch.
    private struct Sent {
        let name: String
        let id: String
        let noteID: String
        let hasBase: Bool

        init?(_ request: TransportRequest) {
            let batch = try? JSONSerialization.jsonObject(with: Data(request.body ?? []))
            guard let action = (batch as? [[Any]])?.first, let name = action.first as? String,
                let fields = action.last as? [String: Any], let id = fields["action_id"] as? String,
                let noteID = fields["id"] as? String
            else { return nil }
            (self.name, self.id, self.noteID, hasBase) = (name, id, noteID, fields["base"] != nil)
        }
    }
}
