import AlmanacNotes
import AlmanacTestSupport
import Testing

/// Tests of notes that are only on this device, and of the status that reports them.
@Suite(.timeLimit(.minutes(1))) struct UnsyncedTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Returns a server that accepts every creation, except those that contain a title.
    private func server(refusing title: String = "refused", status: Int = 200) -> ServerAccess {
        ScriptedTransport { request, _ throws(TransportFailure) in
            guard request.method == "POST" else { return .empty }
            if request.bodyText.contains(title) {
                if status != 200 { return .text("<h1>Too large</h1>", status: status) }
                return .text(
                    """
                    {"results": [{"status": "rejected", "action_id": "\(request.actionIDs[0])", "problem":
                    {"type": "urn:almanac:problem:limit-exceeded", "title": "t", "status": 422, "detail": "too long"}}]}
                    """)
            }
            let results = request.actionIDs.map { #"{"status": "applied", "action_id": "\#($0)", "revision": 1}"# }
            return .text(#"{"cursor": "1.k3f9", "results": [\#(results.joined(separator: ","))]}"#)
        }.server
    }

    @Test func `the status is level only while nothing is only here`() async throws {
        let store = try folder.open("notes.db", server())
        #expect(try await store.unsynced().isEmpty)
        let id = try await store.create(body: "milk").id
        #expect(try await store.unsynced().waiting == 1)
        #expect(try await store.sync().isEmpty)
        #expect(await store.status == .upToDate)
        var updates = store.updates.makeAsyncIterator()
        try await store.edit(id) { $0.body += "\nbread" }
        #expect(await updates.next()?.hasNewStatus == true)
        guard case .unsynced(let notes) = await store.status else {
            Issue.record("the status is \(await store.status)")
            return
        }
        #expect((notes.waiting, notes.refused) == (1, 0))
        #expect("\(notes)" == "1 not sent yet")
        // Another edit of the same note does not change the status.
        try await store.edit(id) { $0.body += "!" }
        #expect(await updates.next()?.hasNewStatus == false)
    }

    @Test(arguments: [200, 413])
    func `a sync says that notes were refused, and so does the status until their user decides`(
        status: Int
    ) async throws {
        let store = try folder.open("notes.db", server(status: status))
        let refused = try await store.create(title: "refused", body: "milk").id
        let unsynced = try await store.sync()
        #expect((unsynced.waiting, unsynced.refused) == (0, 1))
        #expect(await store.status == .unsynced(unsynced))
        #expect(try await store.unsynced() == unsynced)
        #expect("\(unsynced)" == "1 refused by the server")
        guard case .needsAttention = try await store.summary(refused)?.status else {
            Issue.record("the note does not say so")
            return
        }
        try await store.discard(refused)
        #expect(await store.status == .upToDate)
    }

    @Test func `a refusal by something that is no server of this kind stops no other note`() async throws {
        let store = try folder.open("notes.db", server(status: 413))
        for title in ["a", "refused", "b", "c"] { try await store.create(title: title) }
        #expect(try await store.sync().refused == 1)
        #expect(try await store.notes().filter { $0.status == .onServer }.map(\.title) == ["a", "b", "c"])
    }
}

extension TransportRequest {
    fileprivate var actionIDs: [String] {
        bodyText.split(separator: #""action_id":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }
}
