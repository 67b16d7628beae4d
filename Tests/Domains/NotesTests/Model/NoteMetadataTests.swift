import AlmanacEnvironments
import AlmanacForms
import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

@Suite struct NoteMetadataTests {
    private static func metadata(_ tags: [(String, Int64)], isPinned: Bool = false) -> NoteMetadata {
        var metadata = NoteMetadata(isPinned: isPinned)
        for (tag, revision) in tags { metadata.tags.add(tag, at: revision) }
        return metadata
    }

    private func note(_ tags: (String, Int64)..., isPinned: Bool = false) -> Note {
        var note = Note.stored(textRevision: 1, revision: 9)
        note.metadata = Self.metadata(tags, isPinned: isPinned)
        return note
    }

    private func plan(_ note: Note, _ fields: String) throws -> ActionPlan {
        try StoredNotes(note).plan(json: #"["updateNote", {"id": "n1", \#(fields)}]"#)
    }

    @Test func `tags are sorted by their bytes, and differ where their bytes do`() {
        let metadata = Self.metadata([
            ("Straße", 1), ("to do", 1), ("🛒", 1), ("é", 1), ("e\u{301}", 1), ("Work", 1), ("work", 1),
        ])
        #expect(
            metadata.tags.texts.map { Array($0.utf8) }
                == ["Straße", "Work", "e\u{301}", "to do", "work", "é", "🛒"].map { Array($0.utf8) })
        #expect(metadata.tags.contains("é") && metadata != Self.metadata([]))
        #expect(
            NoteTag.set(["b", "e\u{301}", "b", "é", "a"]).map { Array($0.utf8) }
                == ["a", "b", "e\u{301}", "é"].map { Array($0.utf8) })
    }

    @Test func `a removal takes away what its client had seen, and nothing that was added later`() throws {
        let note = note(("seen", 4), ("later", 7))
        let plan = try plan(note, #""base": 5, "tags": {"remove": ["seen", "later", "never"]}"#)
        #expect(plan.metadata?.tags.texts == ["later"])
        // Without a base, all tags count as seen.
        #expect(try self.plan(note, #""tags": {"remove": ["seen", "later"]}"#).metadata?.tags.texts == [])
    }

    @Test func `an addition wins over a removal of the same tag, whichever comes first`() throws {
        let before = note(("work", 4))
        var after = before
        let removal = #""base": 5, "tags": {"remove": ["work"]}"#
        let addition = #""base": 5, "tags": {"add": ["work"]}"#
        after.metadata = try #require(try plan(before, addition).metadata)
        #expect(try plan(after, removal).metadata == nil)
        after.metadata = try #require(try plan(before, removal).metadata)
        #expect(after.metadata.tags.texts == [])
        #expect(try plan(after, addition).metadata?.tags.texts == ["work"])
    }

    @Test func `what is as it is wanted stays unchanged`() throws {
        let note = note(("work", 4), isPinned: true)
        for fields in [#""pinned": true"#, #""tags": {"remove": ["never"]}"#, #""tags": {}"#] {
            #expect(try plan(note, fields).summary == "unchanged, applied", "\(fields)")
        }
        #expect(try plan(note, #""pinned": false"#).metadata == Self.metadata([("work", 4)]))
    }

    @Test func `a note keeps 32 tags and no more`() throws {
        var note = Note.stored(revision: 9)
        for index in 0..<32 { note.metadata.tags.add("t\(index)", at: 1) }
        #expect(throws: NotesRefusal.tooManyTags(33)) { try plan(note, #""tags": {"add": ["one more"]}"#) }
        let exchange = try plan(note, #""tags": {"add": ["one more"], "remove": ["t0"]}"#)
        #expect(exchange.metadata?.tags.members.count == 32)
        // A note with too many tags may still lose some.
        note.metadata.tags.add("t32", at: 1)
        note.metadata.tags.add("t33", at: 1)
        #expect(try plan(note, #""tags": {"remove": ["t0"]}"#).metadata?.tags.members.count == 33)
        #expect(try plan(note, #""pinned": true"#).metadata?.isPinned == true)
    }

    @Test func `whole tags are merged as sets against those of the base`() throws {
        func put(_ tags: [String], known: NoteMetadata?) throws -> [String]? {
            var action = Action(
                id: nil, noteID: "n1",
                change: .put(title: nil, body: nil, .base(.revision(Cursor(revision: 5, lineage: nil)))))
            action.metadata.tags = .whole(tags)
            let note = note(("kept", 2), ("dropped", 3), ("theirs", 8), ("again", 8))
            var state = NoteState(account: .stored(), note: note, earlier: nil)
            #expect(state.metadataNeed(of: action) == 5)
            state.historicalMetadata = known
            return try ActionPlan(action, on: state, limits: .init()).metadata?.tags.texts
        }
        let base = Self.metadata([("kept", 2), ("dropped", 3), ("gone", 4), ("again", 4)])
        #expect(try put(["kept", "gone", "mine"], known: base) == ["again", "kept", "mine", "theirs"])
        // With an unknown base, the result contains all wanted tags.
        #expect(try put(["kept", "gone", "mine"], known: nil) == ["again", "gone", "kept", "mine", "theirs"])
    }

    @Test func `tags and pin alone change no text, and leave the note in the trash`() throws {
        var note = note(("work", 4))
        note = Note.stored(title: "T", revision: 9, isDeleted: true)
        let plan = try plan(note, #""tags": {"add": ["work"]}, "pinned": true"#)
        #expect(plan.summary == "updateNote +4, applied")
        #expect(
            try self.plan(note, #""base": 9, "title": [1, "!"], "pinned": true"#).summary
                == "updateNote title 'T!' +1, applied restored")
    }

    @Test func `tags count among the account's bytes`() throws {
        let full = StoredNotes(.stored(), account: .stored(bytes: Int64(Limits().accountBytes)))
        #expect(
            throws: NotesRefusal.accountTooLarge(bytes: Int64(Limits().accountBytes) + 8, limit: Limits().accountBytes)
        ) {
            try full.plan(json: #"["updateNote", {"id": "n1", "tags": {"add": ["Straße!"]}}]"#)
        }
        #expect(try full.plan(json: #"["updateNote", {"id": "n1", "pinned": true}]"#).metadata?.isPinned == true)
    }

    @Test(arguments: [
        (#"["createNote", {"id": "n2", "tags": "work"}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "tags": {"add": ["work"]}}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "tags": ["work", 7]}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "pinned": 1}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "created_at": "yesterday"}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "updated_at": 1600000000}]"#, "invalidAction"),
        (#"["createNote", {"id": "n2", "tags": [""]}]"#, "invalidTag"),
        (#"["createNote", {"id": "n2", "tags": ["a\nb"]}]"#, "invalidTag"),
        (#"["updateNote", {"id": "n1"}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "tags": ["work"]}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "tags": {"added": ["work"]}}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "tags": {"add": "work"}}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "tags": null}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "pinned": "yes"}]"#, "invalidAction"),
        (#"["updateNote", {"id": "n1", "tags": {"remove": ["\#(String(repeating: "a", count: 65))"]}}]"#, "invalidTag"),
        (#"["updateNote", {"id": "n1", "tags": {"add": ["a", "b"], "remove": ["b"]}}]"#, "tagAddedAndRemoved"),
        (#"["moveNote", {"id": "n1", "after": null, "tags": {"add": ["a"]}}]"#, "invalidAction"),
        (#"["deleteNote", {"id": "n1", "pinned": true}]"#, "invalidAction"),
    ])
    func `what is no tag, no set of tags and no pin is refused`(json: String, refusal: String) throws {
        do {
            _ = try StoredNotes(.stored()).plan(json: json)
            Issue.record("\(json) was taken")
        } catch let found as NotesRefusal {
            #expect("\(found)".hasPrefix(refusal), "\(json)")
        }
    }

    @Test func `composed and decomposed are two tags, one added and the other removed`() throws {
        let plan = try plan(note(("e\u{301}", 2)), #""tags": {"add": ["é"], "remove": ["e\u0301"]}"#)
        #expect(plan.metadata?.tags.texts.map { Array($0.utf8) } == [Array("é".utf8)])
    }
}
