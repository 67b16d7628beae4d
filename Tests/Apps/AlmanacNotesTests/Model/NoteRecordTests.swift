import AlmanacRevisions
import Testing

@testable import AlmanacNotes

@Suite struct NoteRecordTests {
    private static func cursor(_ revision: Int64) -> Cursor { Cursor(revision: revision, lineage: "k3f9") }

    private static func change(_ revision: Int64, _ body: String?) -> NoteRecord.RemoteChange {
        NoteRecord.RemoteChange(
            cursor: cursor(revision), text: body.map { StoredNote.Text(body: $0) }, position: body.map { _ in "a0" })
    }

    private static func accepted(_ revision: Int64, _ body: String? = nil, trash: Bool = false)
        -> NoteRecord.ActionOutcome
    {
        var state = NoteRecord.ServerState(cursor: cursor(revision))
        state.text = body.map { StoredNote.Text(body: $0) }
        state.isInTrash = trash
        return .accepted(state)
    }

    private static func rejected(_ type: String) -> NoteRecord.ActionOutcome {
        .rejected(StoredNote.Problem(type: type, detail: ""))
    }

    /// Returns a note whose state is the same on the device and the server.
    private func known(_ body: String = "milk") -> NoteRecord {
        var record = NoteRecord(id: "n1", text: StoredNote.Text(body: body), createdAt: 0, updatedAt: 0)
        record.receive(Self.change(5, body))
        return record
    }

    /// The id of another version is random, so the server's note is an earlier copy of this device's.
    @Test(arguments: [
        (id: "0b8f4f3e-2f4c-8a51-9c1d-3f6a5d7e9b20", body: "milk bread"),
        (id: "0b8f4f3e-2f4c-4a51-9c1d-3f6a5d7e9b20", body: "milk"),
    ])
    func `notes of one derived id that two devices create keep the words of both`(id: String, body: String) {
        func text(_ body: String) -> StoredNote.Text { StoredNote.Text(title: "Monday, November 30, 2026", body: body) }
        for theirs in ["milk", "bread"] {
            var record = NoteRecord(id: id, text: text("bread"), createdAt: 1000, updatedAt: 1000)
            #expect(record.beginAction(id: "a1")?.kind == .create)
            record.receive(NoteRecord.RemoteChange(cursor: Self.cursor(4), text: text(theirs), position: "a0"))
            #expect(record.receive(Self.rejected("note-exists"), ofAction: "a1") == .keep)
            #expect(record.text == text(theirs == "bread" ? "bread" : body))
            #expect(record.problem == nil && record.shadow?.text == text(theirs))
            #expect(record.nextAction == (record.text == text(theirs) ? nil : .update))
        }
    }

    @Test func `tags added while an action was on its way stay, and those that others removed go`() {
        var record = known()
        record.edit(StoredNote.Text(body: "milk", tags: ["a", "b"]), at: 1)
        #expect(record.beginAction(id: "a1")?.kind == .update)
        record.edit(StoredNote.Text(body: "milk", tags: ["b", "c"], isPinned: true), at: 2)
        var state = NoteRecord.ServerState(cursor: Self.cursor(7))
        state.text = StoredNote.Text(body: "milk", tags: ["a", "b", "theirs"])
        _ = record.receive(.accepted(state), ofAction: "a1")
        #expect(record.text.tags == ["b", "c", "theirs"])
        #expect(record.text.isPinned)
        #expect(record.shadow?.text.tags == ["a", "b", "theirs"])
        // A repeated response is stale.
        _ = record.receive(.accepted(state), ofAction: "a1")
        #expect(record.text.tags == ["b", "c", "theirs"])
        record.receive(
            NoteRecord.RemoteChange(
                cursor: Self.cursor(9), text: StoredNote.Text(body: "milk", tags: ["a", "b"]), position: "a0"))
        #expect(record.text.tags == ["b", "c"])
    }

    @Test func `tags and pins bring no note back from the trash, words do`() {
        var record = known()
        record.moveToTrash()
        record.receive(
            NoteRecord.RemoteChange(
                cursor: Self.cursor(6), text: StoredNote.Text(body: "milk", tags: ["work"]), position: "a0"))
        #expect(record.isInTrash)
        #expect(record.nextAction == .delete)
        record.receive(Self.change(7, "milk and bread"))
        #expect(!record.isInTrash)

        // Another device deletes the note while tags are pending. The tags are sent, and the note stays in the trash.
        record.edit(StoredNote.Text(body: "milk and bread", tags: ["mine"]), at: 1)
        record.receive(Self.change(8, nil))
        #expect(record.isInTrash)
        #expect(record.beginAction(id: "a1")?.kind == .update)
        _ = record.receive(Self.accepted(9, trash: true), ofAction: "a1")
        #expect(record.isInTrash)
        #expect(record.text.tags == ["mine"])
        #expect(record.nextAction == nil)
    }

    @Test func `a note that its user takes out of the trash stays out of it, though tags of it wait to be sent`() {
        var record = known()
        record.receive(Self.change(6, nil))
        record.takeOutOfTrash()
        record.edit(StoredNote.Text(body: "milk", tags: ["mine"]), at: 1)
        #expect(record.beginAction(id: "a1")?.kind == .restore)
        _ = record.receive(Self.accepted(7), ofAction: "a1")
        #expect(record.beginAction(id: "a2")?.kind == .update)
        _ = record.receive(Self.accepted(8), ofAction: "a2")
        #expect(!record.isInTrash)
        #expect(record.status == .onServer)
    }

    @Test func `a new note is created once and is then on the server`() {
        var record = NoteRecord(id: "n1", text: StoredNote.Text(body: "milk"), createdAt: 0, updatedAt: 0)
        #expect(record.beginAction(id: "a1")?.kind == .create)
        #expect(record.beginAction(id: "a2") == nil)
        #expect(record.status == .onThisDevice)
        #expect(record.receive(Self.accepted(1), ofAction: "a1") == .keep)
        #expect(record.status == .onServer)
        #expect(record.nextAction == nil)
    }

    @Test func `text typed while an action was on its way is sent next, and merged with the answer`() {
        var record = known()
        record.edit(StoredNote.Text(body: "oat milk"), at: 1)
        #expect(record.beginAction(id: "a1")?.kind == .update)
        record.edit(StoredNote.Text(body: "oat milk, 2 l"), at: 2)
        _ = record.receive(Self.accepted(7, "oat milk\nbread"), ofAction: "a1")
        #expect(record.text.body == "oat milk\nbread, 2 l" || record.text.body == "oat milk, 2 l\nbread")
        #expect(record.shadow?.text.body == "oat milk\nbread")
        #expect(record.nextAction == .update)
    }

    @Test func `changes wait while an action is pending, and count when they are later than its outcome`() {
        var record = known()
        record.edit(StoredNote.Text(body: "milk!"), at: 1)
        _ = record.beginAction(id: "a1")
        record.receive(Self.change(8, "milk!\nbread"))
        #expect(record.text.body == "milk!")
        _ = record.receive(Self.accepted(7), ofAction: "a1")
        #expect(record.text.body == "milk!\nbread")
        #expect(record.shadow?.cursor.revision == 8)
        #expect(record.status == .onServer)
    }

    @Test func `older changes, and outcomes of other actions, change nothing`() {
        var record = known()
        let before = record
        record.receive(Self.change(4, "water"))
        record.receive(Self.change(3, nil))
        #expect(record.receive(Self.accepted(9, "wine"), ofAction: "a7") == .keep)
        #expect(record == before)
    }

    @Test func `a note deleted elsewhere goes into the trash, unless something of it was not sent`() {
        var clean = known()
        clean.receive(Self.change(6, nil))
        #expect(clean.isInTrash)
        #expect(clean.status == .onServer)

        var edited = known()
        edited.edit(StoredNote.Text(body: "milk!"), at: 1)
        edited.receive(Self.change(6, nil))
        #expect(!edited.isInTrash)
        #expect(edited.nextAction == .update)
    }

    @Test func `a deletion gives way to an edit that was not seen, and not to a mere move`() {
        var record = known()
        record.moveToTrash()
        record.receive(Self.change(6, "milk"))
        #expect(record.nextAction == .delete)
        record.receive(Self.change(7, "milk\nbread"))
        #expect(!record.isInTrash)
        #expect(record.nextAction == nil)
    }

    @Test func `unsent text is sent before its note is deleted`() {
        var record = known()
        record.edit(StoredNote.Text(body: "milk!"), at: 1)
        record.moveToTrash()
        #expect(record.beginAction(id: "a1")?.kind == .update)
        _ = record.receive(Self.accepted(6), ofAction: "a1")
        #expect(record.beginAction(id: "a2")?.kind == .delete)
        _ = record.receive(Self.accepted(7, trash: true), ofAction: "a2")
        #expect(record.isInTrash)
        #expect(record.status == .onServer)
    }

    @Test(arguments: [true, false])
    func `a note that its user takes out of the trash stays out of it when its deletion is heard of again`(
        isAnswered: Bool
    ) {
        var record = known()
        record.moveToTrash()
        #expect(record.beginAction(id: "a1")?.kind == .delete)
        // A page has no revision for a deletion, so its cursor may be newer.
        if isAnswered {
            _ = record.receive(Self.accepted(6, trash: true), ofAction: "a1")
            record.takeOutOfTrash()
            record.receive(Self.change(7, nil))
        } else {
            record.takeOutOfTrash()
            record.receive(Self.change(7, nil))
            _ = record.receive(Self.accepted(6, trash: true), ofAction: "a1")
        }
        #expect(!record.isInTrash && record.isInServersTrash)
        #expect(record.beginAction(id: "a2")?.kind == .restore)
    }

    @Test func `a restored note is restored on the server too`() {
        var record = known()
        record.receive(Self.change(6, nil))
        record.takeOutOfTrash()
        #expect(record.beginAction(id: "a1")?.kind == .restore)
        _ = record.receive(Self.accepted(7), ofAction: "a1")
        record.receive(Self.change(7, "milk"))
        #expect(!record.isInTrash)
        #expect(record.nextAction == nil)
    }

    @Test(arguments: ["limit-exceeded", "note-gone", "invalid-value"])
    func `a refused edit stays here with its text until it is edited again`(type: String) {
        var record = known()
        record.edit(StoredNote.Text(body: "milk!"), at: 1)
        _ = record.beginAction(id: "a1")
        #expect(record.receive(Self.rejected(type), ofAction: "a1") == .keep)
        #expect(record.text.body == "milk!")
        #expect(record.status == .needsAttention(StoredNote.Problem(type: type, detail: "")))
        #expect(record.nextAction == nil)
        record.edit(StoredNote.Text(body: "milk?"), at: 2)
        #expect(record.nextAction == .update)
    }

    @Test(arguments: ["resync", "revision-not-kept", "delta-mismatch"])
    func `an update whose base is not known any more spells it out, once`(type: String) {
        var record = known()
        record.edit(StoredNote.Text(body: "milk!"), at: 1)
        _ = record.beginAction(id: "a1")
        _ = record.receive(Self.rejected(type), ofAction: "a1")
        #expect(record.beginAction(id: "a2")?.kind == .spelledUpdate)
        _ = record.receive(Self.rejected(type), ofAction: "a2")
        #expect(record.problem?.type == type)
    }

    @Test func `a note that was deleted here and removed there for good is gone`() {
        var record = known()
        record.moveToTrash()
        _ = record.beginAction(id: "a1")
        #expect(record.receive(Self.rejected("note-gone"), ofAction: "a1") == .remove)
    }

    @Test func `a note whose creation was answered by nobody is taken from a change of others`() {
        var record = NoteRecord(id: "n1", text: StoredNote.Text(body: "milk"), createdAt: 0, updatedAt: 0)
        _ = record.beginAction(id: "a1")
        record.edit(StoredNote.Text(body: "milk!"), at: 1)
        record.receive(Self.change(3, "oat milk"))
        _ = record.receive(Self.rejected("note-exists"), ofAction: "a1")
        #expect(record.text.body == "oat milk!")
        #expect(record.nextAction == .update)
    }

    @Test func `a move keeps its place until the server tells the new one`() {
        var record = known()
        record.move(after: nil, number: 1)
        #expect(record.beginAction(id: "a1")?.kind == .move)
        _ = record.receive(Self.accepted(6), ofAction: "a1")
        #expect(record.pendingMove != nil)
        #expect(record.nextAction == nil)
        record.receive(Self.change(6, "milk"))
        #expect(record.pendingMove == nil)
    }

    @Test func `a note that goes into the trash gives up the place it was to have`() {
        var received = known()
        received.move(after: nil, number: 1)
        received.receive(Self.change(6, nil))
        #expect(received.pendingMove == nil)

        var answered = known()
        answered.edit(StoredNote.Text(body: "milk!"), at: 1)
        _ = answered.beginAction(id: "a1")
        answered.move(after: nil, number: 2)
        _ = answered.receive(Self.accepted(6, "milk!", trash: true), ofAction: "a1")
        #expect(answered.isInTrash)
        #expect(answered.pendingMove == nil)
    }

    @Test func `texts that only look the same are different`() {
        var record = known("e\u{301}")
        record.edit(StoredNote.Text(body: "\u{E9}"), at: 1)
        #expect(record.nextAction == .update)
    }

    @Test func `a note removed for good is deleted with its base, then removed from the server, then gone`() {
        var record = known()
        record.moveToTrash()
        #expect(record.removeForGood() == .keep)
        #expect(record.beginAction(id: "a1")?.kind == .delete)
        #expect(record.receive(Self.accepted(6, trash: true), ofAction: "a1") == .keep)
        #expect(record.beginAction(id: "a2")?.kind == .purge)
        #expect(record.status == .onThisDevice)
        #expect(record.receive(Self.accepted(7), ofAction: "a2") == .remove)
    }

    @Test func `an edit from elsewhere brings back a note that was to be removed for good`() {
        var record = known()
        record.moveToTrash()
        _ = record.removeForGood()
        record.receive(Self.change(6, "milk\nbread"))
        #expect(record.place == .list && record.text.body == "milk\nbread" && record.nextAction == nil)
        // The server has an edit that the deleter had not seen.
        var other = known()
        other.moveToTrash()
        _ = other.removeForGood()
        _ = other.beginAction(id: "a1")
        _ = other.receive(Self.accepted(8, "oat milk"), ofAction: "a1")
        #expect(other.place == .list && other.text.body == "oat milk")
    }

    @Test func `a note that the server never had is gone at once, and one on its way when its outcome is known`() {
        var record = NoteRecord(id: "n1", text: StoredNote.Text(body: "milk"), createdAt: 0, updatedAt: 0)
        record.moveToTrash()
        var refused = record
        #expect(record.removeForGood() == .remove)
        _ = refused.beginAction(id: "a1")
        var sent = refused
        #expect(refused.removeForGood() == .keep)
        #expect(refused.receive(Self.rejected("limit-exceeded"), ofAction: "a1") == .remove)
        #expect(sent.removeForGood() == .keep)
        #expect(sent.receive(Self.accepted(1), ofAction: "a1") == .keep)
        #expect(sent.nextAction == .delete)
    }

    @Test(arguments: ["note-gone", "limit-exceeded"])
    func `a removal for good that is refused is over where the note is gone, else the note is in the trash again`(
        type: String
    ) {
        var record = known()
        record.moveToTrash()
        record.isInServersTrash = true
        _ = record.removeForGood()
        #expect(record.beginAction(id: "a1")?.kind == .purge)
        let disposition = record.receive(Self.rejected(type), ofAction: "a1")
        #expect(disposition == (type == "note-gone" ? .remove : .keep))
        if disposition == .keep { #expect(record.place == .trash && record.nextAction == nil) }
    }
}
