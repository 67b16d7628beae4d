import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of two devices of one user, against the running instance.
@Suite struct LiveTests {
    private let folder: Folder
    private let user: SimulatedUser
    private let instance: Instance

    init() async throws {
        folder = try Folder()
        user = try await SimulatedUser("live")
        instance = try .current()
    }

    private func device(_ name: String) throws -> NotesStore {
        try folder.open("\(name).db", user.server(behind: instance.transport))
    }

    @Test(.timeLimit(.minutes(1)))
    func `text typed on one device appears on the other while both follow`() async throws {
        let (phone, laptop) = (try device("phone"), try device("laptop"))
        let following = [Task { await phone.follow() }, Task { await laptop.follow() }]
        defer { for task in following { task.cancel() } }
        let id = try await phone.create(title: "Groceries", body: "milk").id
        #expect(try await laptop.becomes { try await $0.note(id)?.body == "milk" })
        try await laptop.edit(id) { $0.body += "\nbread" }
        try await phone.edit(id) { $0.body = "oat " + $0.body }
        #expect(try await phone.becomes { try await $0.note(id)?.body == "oat milk\nbread" })
        #expect(try await laptop.becomes { try await $0.note(id)?.body == "oat milk\nbread" })
        #expect(try await laptop.becomes { try await $0.note(id)?.status == .onServer })
    }

    @Test func `titles, places, the trash and what comes back from it reach the other device`() async throws {
        let (phone, laptop) = (try device("phone"), try device("laptop"))
        let ids = [
            try await phone.create(title: "a", body: "1").id, try await phone.create(title: "b", body: "2").id,
            try await phone.create(title: "c", body: "3").id,
        ]
        try await phone.move(ids[2], after: nil)
        try await phone.delete(ids[1])
        #expect(try await phone.notes().map(\.title) == ["c", "a"])
        try await phone.sync()
        #expect(try await phone.notes().map(\.title) == ["c", "a"])
        try await laptop.sync()
        #expect(try await laptop.notes().map(\.title) == ["c", "a"])
        try await phone.edit(ids[0]) { $0.title = "A" }
        try await phone.sync()
        try await laptop.delete(ids[2])
        try await laptop.sync()
        try await phone.sync()
        #expect(try await phone.notes().map(\.title) == ["A"])
        try await phone.restore(ids[2])
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.notes().map(\.title) == ["c", "A"])
        #expect(try await laptop.notes().map(\.status) == [.onServer, .onServer])
    }

    @Test func `a note removed for good keeps what was typed offline, and can become a new one`() async throws {
        let phone = try device("phone")
        let id = try await phone.create(body: "milk").id
        let other = try await phone.create(body: "tea").id
        try await phone.sync()
        try await user.act(#"[["purgeNote", {"id": "\#(id)"}]]"#)
        try await phone.edit(id) { $0.body += "\nbread" }
        try await phone.edit(other) { $0.body += "!" }
        try await phone.sync()
        guard case .needsAttention(let problem) = try await phone.note(id)?.status else {
            Issue.record("the note is \(String(describing: try await phone.note(id)))")
            return
        }
        #expect(problem.type == "note-gone")
        #expect(try await phone.note(other)?.status == .onServer)
        let new = try await phone.keepAsNew(id)
        try await phone.sync()
        #expect(try await phone.note(id) == nil)
        #expect(try await phone.note(new.id)?.status == .onServer)
        #expect(try await user.read("notes/\(new.id)").text("body") == "milk\nbread")
    }

    @Test func `a note that is too long is kept here, and stops nothing else`() async throws {
        let phone = try device("phone")
        let long = try await phone.create(body: String(repeating: "\u{1}", count: 1_048_577)).id
        let other = try await phone.create(body: "tea").id
        try await phone.sync()
        #expect(try await phone.note(other)?.status == .onServer)
        guard case .needsAttention = try await phone.note(long)?.status else {
            Issue.record("it was taken")
            return
        }
        try await phone.edit(long) { $0.body = "short" }
        try await phone.sync()
        #expect(try await phone.note(long)?.status == .onServer)
    }

    @Test func `a first sync brings hundreds of notes in their order`() async throws {
        let phone = try device("phone")
        for number in 0..<350 { try await phone.create(title: "\(number)") }
        try await phone.sync()
        let laptop = try device("laptop")
        try await laptop.sync()
        #expect(try await laptop.notes().map(\.title) == (0..<350).map { "\($0)" })
        for (mine, theirs) in zip(try await laptop.notes(), try await phone.notes()) {
            #expect(abs(mine.createdAt.timeIntervalSince(theirs.createdAt)) < 300)
        }
    }
}

extension NotesStore {
    /// Waits until a condition holds, and checks after every change.
    func becomes(_ condition: @Sendable (NotesStore) async throws -> Bool) async throws -> Bool {
        let updates = updates
        if try await condition(self) { return true }
        for await _ in updates where try await condition(self) { return true }
        return false
    }
}
