import Testing

@testable import AlmanacNotes

@Suite struct NoteRecordTests {
    private static func cursor(_ revision: Int64) -> Cursor { Cursor(revision: revision, lineage: "k3f9") }

    private static func news(_ revision: Int64, _ body: String?) -> NoteRecord.News {
        NoteRecord.News(
            cursor: cursor(revision), text: body.map { NoteText(body: $0) }, position: body.map { _ in "a0" })
    }

    private static func taken(_ revision: Int64, _ body: String? = nil, trash: Bool = false) -> NoteRecord.Answer {
        var taken = NoteRecord.Taken(cursor: cursor(revision))
        taken.text = body.map { NoteText(body: $0) }
        taken.isInTrash = trash
        return .taken(taken)
    }

    private static func rejected(_ type: String) -> NoteRecord.Answer {
        .rejected(NoteProblem(type: type, detail: ""))
    }

    /// A note that both sides know.
    private func known(_ body: String = "milk") -> NoteRecord {
        var record = NoteRecord(id: "n1", text: NoteText(body: body), createdAt: 0, updatedAt: 0)
        record.hear(Self.news(5, body))
        return record
    }

    @Test func `a new note is created once and is then on the server`() {
        var record = NoteRecord(id: "n1", text: NoteText(body: "milk"), createdAt: 0, updatedAt: 0)
        #expect(record.depart("a1")?.kind == .create)
        #expect(record.depart("a2") == nil)
        #expect(record.status == .onThisDevice)
        #expect(record.answer(Self.taken(1), to: "a1") == .kept)
        #expect(record.status == .onServer)
        #expect(record.nextKind == nil)
    }

    @Test func `what was typed while an action was on its way is sent next, and merged with the answer`() {
        var record = known()
        record.edit(NoteText(body: "oat milk"), at: 1)
        #expect(record.depart("a1")?.kind == .update)
        record.edit(NoteText(body: "oat milk, 2 l"), at: 2)
        _ = record.answer(Self.taken(7, "oat milk\nbread"), to: "a1")
        #expect(record.text.body == "oat milk\nbread, 2 l" || record.text.body == "oat milk, 2 l\nbread")
        #expect(record.shadow?.text.body == "oat milk\nbread")
        #expect(record.nextKind == .update)
    }

    @Test func `news wait while an action is on its way, and count when they are later than its answer`() {
        var record = known()
        record.edit(NoteText(body: "milk!"), at: 1)
        _ = record.depart("a1")
        record.hear(Self.news(8, "milk!\nbread"))
        #expect(record.text.body == "milk!")
        _ = record.answer(Self.taken(7), to: "a1")
        #expect(record.text.body == "milk!\nbread")
        #expect(record.shadow?.cursor.revision == 8)
        #expect(record.status == .onServer)
    }

    @Test func `older news, and answers to other actions, change nothing`() {
        var record = known()
        let before = record
        record.hear(Self.news(4, "water"))
        record.hear(Self.news(3, nil))
        #expect(record.answer(Self.taken(9, "wine"), to: "a7") == .kept)
        #expect(record == before)
    }

    @Test func `a note deleted elsewhere goes into the trash, unless something of it was not sent`() {
        var clean = known()
        clean.hear(Self.news(6, nil))
        #expect(clean.isInTrash)
        #expect(clean.status == .onServer)

        var edited = known()
        edited.edit(NoteText(body: "milk!"), at: 1)
        edited.hear(Self.news(6, nil))
        #expect(!edited.isInTrash)
        #expect(edited.nextKind == .update)
    }

    @Test func `a deletion gives way to an edit that was not seen, and not to a mere move`() {
        var record = known()
        record.putIntoTrash()
        record.hear(Self.news(6, "milk"))
        #expect(record.nextKind == .delete)
        record.hear(Self.news(7, "milk\nbread"))
        #expect(!record.isInTrash)
        #expect(record.nextKind == nil)
    }

    @Test func `unsent text is sent before its note is deleted`() {
        var record = known()
        record.edit(NoteText(body: "milk!"), at: 1)
        record.putIntoTrash()
        #expect(record.depart("a1")?.kind == .update)
        _ = record.answer(Self.taken(6), to: "a1")
        #expect(record.depart("a2")?.kind == .delete)
        _ = record.answer(Self.taken(7, trash: true), to: "a2")
        #expect(record.isInTrash)
        #expect(record.status == .onServer)
    }

    @Test func `a restored note is restored on the server too`() {
        var record = known()
        record.hear(Self.news(6, nil))
        record.takeOutOfTrash()
        #expect(record.depart("a1")?.kind == .restore)
        _ = record.answer(Self.taken(7), to: "a1")
        record.hear(Self.news(7, "milk"))
        #expect(!record.isInTrash)
        #expect(record.nextKind == nil)
    }

    @Test(arguments: ["limit-exceeded", "note-gone", "invalid-value"])
    func `a refused edit stays here with its text until it is edited again`(type: String) {
        var record = known()
        record.edit(NoteText(body: "milk!"), at: 1)
        _ = record.depart("a1")
        #expect(record.answer(Self.rejected(type), to: "a1") == .kept)
        #expect(record.text.body == "milk!")
        #expect(record.status == .needsAttention(NoteProblem(type: type, detail: "")))
        #expect(record.nextKind == nil)
        record.edit(NoteText(body: "milk?"), at: 2)
        #expect(record.nextKind == .update)
    }

    @Test(arguments: ["resync", "revision-not-kept", "delta-mismatch"])
    func `an update whose base is not known any more spells it out, once`(type: String) {
        var record = known()
        record.edit(NoteText(body: "milk!"), at: 1)
        _ = record.depart("a1")
        _ = record.answer(Self.rejected(type), to: "a1")
        #expect(record.depart("a2")?.kind == .spelledUpdate)
        _ = record.answer(Self.rejected(type), to: "a2")
        #expect(record.problem?.type == type)
    }

    @Test func `a note that was deleted here and removed there for good is gone`() {
        var record = known()
        record.putIntoTrash()
        _ = record.depart("a1")
        #expect(record.answer(Self.rejected("note-gone"), to: "a1") == .gone)
    }

    @Test func `a note whose creation was answered by nobody is taken from the news`() {
        var record = NoteRecord(id: "n1", text: NoteText(body: "milk"), createdAt: 0, updatedAt: 0)
        _ = record.depart("a1")
        record.edit(NoteText(body: "milk!"), at: 1)
        record.hear(Self.news(3, "oat milk"))
        _ = record.answer(Self.rejected("note-exists"), to: "a1")
        #expect(record.text.body == "oat milk!")
        #expect(record.nextKind == .update)
    }

    @Test func `a move keeps its place until the server tells the new one`() {
        var record = known()
        record.move(after: nil, as: 1)
        #expect(record.depart("a1")?.kind == .move)
        _ = record.answer(Self.taken(6), to: "a1")
        #expect(record.wish != nil)
        #expect(record.nextKind == nil)
        record.hear(Self.news(6, "milk"))
        #expect(record.wish == nil)
    }

    @Test func `a note that goes into the trash gives up the place it was to have`() {
        var heardOfIt = known()
        heardOfIt.move(after: nil, as: 1)
        heardOfIt.hear(Self.news(6, nil))
        #expect(heardOfIt.wish == nil)

        var wasTold = known()
        wasTold.edit(NoteText(body: "milk!"), at: 1)
        _ = wasTold.depart("a1")
        wasTold.move(after: nil, as: 2)
        _ = wasTold.answer(Self.taken(6, "milk!", trash: true), to: "a1")
        #expect(wasTold.isInTrash)
        #expect(wasTold.wish == nil)
    }

    @Test func `texts that only look the same are different`() {
        var record = known("e\u{301}")
        record.edit(NoteText(body: "\u{E9}"), at: 1)
        #expect(record.nextKind == .update)
    }
}
