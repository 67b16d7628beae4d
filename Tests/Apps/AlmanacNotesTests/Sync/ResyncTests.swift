import AlmanacNotes
import AlmanacTestSupport
import Testing

/// What happens when the server's history is not the one that a device has followed: here because the account was
/// erased.
@Suite struct ResyncTests {
    private let folder: Folder
    private let user: SimulatedUser
    private let instance: Instance

    init() async throws {
        folder = try Folder()
        user = try await SimulatedUser("resync")
        instance = try .current()
    }

    private func erase() async throws {
        let headers = [(name: "Authorization", value: "Bearer \(user.token)")]
        let response = try await instance.transport.send(
            TransportRequest("DELETE", "\(instance.environment)/account", headers: headers))
        try #require(response.status == 204)
    }

    @Test(arguments: [NotesStore.Decision.keep, .moveToTrash])
    func `many notes go only after their user has said so, and none with unsent text`(
        decision: NotesStore.Decision
    ) async throws {
        let store = try folder.open("a.db", user.server(behind: instance.transport))
        for number in 0..<4 { try await store.create(body: "\(number)") }
        try await store.sync()
        try await erase()
        let edited = try await store.notes()[0]
        try await store.edit(edited, body: "0 and more")
        for _ in 0..<2 {
            await #expect(throws: NotesSyncFailure.decisionNeeded(missing: 3, of: 4)) { try await store.sync() }
        }
        #expect(try await store.notes().count == 4)
        #expect(await store.status == .failed(.decisionNeeded(missing: 3, of: 4)))

        try await store.decide(decision)
        try await store.sync()
        let bodies = try await store.notes().map(\.body)
        switch decision {
        case .keep:
            #expect(Set(bodies) == ["0 and more", "1", "2", "3"])
            #expect(try await user.read("notes").texts("order").count == 3)
        case .moveToTrash:
            #expect(bodies == ["0 and more"])
            #expect(try await store.trash().count == 3)
        }
        guard case .needsAttention = try await store.note(edited.id)?.status else {
            Issue.record("nothing says that \(edited.id) needs attention")
            return
        }
        try await store.keepAsNew(edited.id)
        try await store.sync()
        #expect(try await user.read("notes").texts("order").count == bodies.count)
    }

    @Test func `a few notes that the server has lost go into the trash here`() async throws {
        let page =
            #"{"revision": 9, "cursor": "9.aaaa", "order": ["n1","n2","n3","n4","n5","n6"], "details": {"#
            + (1...6).map { #""n\#($0)": {"title": "", "body": "\#($0)", "revision": \#($0), "position": "a\#($0)"}"# }
            .joined(separator: ",") + #"}, "more": false}"#
        let transport = ScriptedTransport { request, count in
            switch count {
            case 0: .text(page)
            case 1:
                .text(#"{"revision": 9, "cursor": "9.aaaa", "order": [], "details": {}, "deleted": [], "more": false}"#)
            case 2: .text("{}", status: 410)
            case 3:
                .text(
                    #"{"revision": 4, "cursor": "4.bbbb", "manifest": ["#
                        + (1...5).map { #"{"id": "n\#($0)", "revision": \#($0)}"# }.joined(separator: ",")
                        + #"], "more": false}"#)
            case 4:
                .text(
                    #"{"revision": 4, "cursor": "4.bbbb", "order": ["n1"], "#
                        + #""details": {"n1": {"title": "", "body": "older", "#
                        + #""revision": 1, "position": "a1"}}, "more": false}"#)
            default:
                .text(#"{"revision": 4, "cursor": "4.bbbb", "order": [], "details": {}, "deleted": [], "more": false}"#)
            }
        }
        let store = try folder.open("b.db", transport.server)
        try await store.sync()
        #expect(try await store.notes().count == 6)
        try await store.sync()
        #expect(try await store.notes().map(\.body) == ["older", "2", "3", "4", "5"])
        #expect(try await store.trash().map(\.body) == ["6"])
        #expect(
            transport.requests.map { $0.value("form") ?? $0.value("since") ?? "newest" } == [
                "newest", "9.aaaa", "9.aaaa", "manifest", "newest", "4.bbbb",
            ])
    }
}
