import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

/// Tests of a server whose history differs from the device's copy, here after the account was erased.
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

    @Test func `an older page of an account that has just begun takes no text back`() async throws {
        let steps = Mutex((actions: 0, bodies: [String]()))
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            guard request.method == "POST" else {
                // Pages have the cursor of an empty account until the account has a note again.
                return steps.withLock { steps in
                    if steps.actions < 2 {
                        return .text(
                            #"{"revision": 0, "cursor": "0.aaaa", "order": [], "details": {}, "deleted": [], "#
                                + #""more": false}"#)
                    }
                    // This page is older than the second action.
                    return .text(
                        #"{"revision": 1, "cursor": "1.bbbb", "order": ["\#(steps.bodies[0])"], "details": {"#
                            + #""\#(steps.bodies[0])": {"title": "", "body": "milk", "revision": 1, "#
                            + #""position": "a0"}}, "deleted": [], "more": false}"#)
                }
            }
            return steps.withLock { steps in
                steps.actions += 1
                let batch = try? JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [[Any]]
                let fields = batch?.first?.last as? [String: Any]
                if let id = fields?["id"] as? String { steps.bodies.append(id) }
                let action = fields?["action_id"] as? String ?? ""
                return .text(
                    #"{"revision": \#(steps.actions), "cursor": "\#(steps.actions).bbbb", "results": ["#
                        + #"{"action_id": "\#(action)", "status": "applied", "revision": \#(steps.actions)}]}"#)
            }
        }
        let store = try folder.open("c.db", transport.server)
        try await store.sync()
        let note = try await store.create(body: "milk").id
        try await store.sync()
        try await store.edit(note) { $0.body = "oat milk" }
        try await store.sync()
        #expect(try await store.note(note)?.body == "oat milk")
    }
}
