import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

@Suite struct ImportTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    @Test func `imported notes keep ids, times and places, and are sent with them, in their order`() async throws {
        let times: [Int64] = [1_551_514_530_250, 1_583_020_799_999, 1_626_264_000_123]
        let notes = [
            ImportedNote(
                id: "z", text: StoredNote.Text(title: "first", tags: ["b", "a"], isPinned: true),
                createdAt: date(times[0]), updatedAt: date(times[2])),
            ImportedNote(id: "a", text: StoredNote.Text(title: "second"), createdAt: date(times[1])),
            ImportedNote(id: "t", text: StoredNote.Text(title: "third"), createdAt: date(times[0]), isInTrash: true),
        ]
        #expect(try await folder.open().add(notes) == ["z", "a", "t"])
        let store = try folder.open()
        #expect(try await store.notes().map(\.id) == ["z", "a"])
        #expect(try await store.trash().map(\.id) == ["t"])
        let note = try #require(try await store.note("z"))
        #expect(note.tags == ["a", "b"] && note.isPinned)
        #expect(note.createdAt == date(times[0]) && note.editedAt == date(times[2]))
        let sent = try await store.creations()
        #expect(sent[0].contains(#""created_at":"2019-03-02T08:15:30.250Z""#))
        #expect(sent[0].contains(#""updated_at":"2021-07-14T12:00:00.123Z""#))
        #expect(sent[1].contains(#""updated_at":"2020-02-29T23:59:59.999Z""#))
        // For a note created on this device, the server sets the time.
        try await store.create(title: "own")
        #expect(try await store.creations().last?.contains("created_at") == false)
    }

    @Test func `a note that is there stays as it is, and one that none can be refuses all`() async throws {
        let store = try folder.open()
        try await store.add([ImportedNote(id: "n1", text: StoredNote.Text(title: "here"))])
        let again = [
            ImportedNote(id: "n1", text: StoredNote.Text(title: "other")),
            ImportedNote(id: "n2", text: StoredNote.Text(title: "new")),
        ]
        #expect(try await store.add(again) == ["n2"])
        #expect(try await store.notes().map(\.title) == ["here", "new"])
        for wrong in [
            ImportedNote(id: "no id", text: StoredNote.Text()), ImportedNote(id: "", text: StoredNote.Text()),
            ImportedNote(id: "n4", text: StoredNote.Text(body: "a\0b")),
            ImportedNote(id: "n4", text: StoredNote.Text(tags: (0..<33).map { "t\($0)" })),
        ] {
            let fine = ImportedNote(id: "n3", text: StoredNote.Text(title: "fine"))
            await #expect(throws: NotesFailure.self) { try await store.add([fine, wrong]) }
        }
        #expect(try await store.notes().count == 2)
    }
}

extension NotesStore {
    /// Returns the pending creation actions of the notes in the list.
    fileprivate func creations() throws -> [String] {
        try table.dirty(limit: 100).filter { !$0.isInTrash }.map { record in
            var record = record
            let begun = record.beginAction(id: "a1")
            let action = try #require(begun)
            return String(decoding: try WireAction(action, of: record).bytes, as: UTF8.self)
        }
    }
}
