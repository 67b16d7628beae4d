import AlmanacNotes
import AlmanacTestSupport
import Testing

/// Tests of responses that no correct server sends. No edit may be lost, and the status must report the fault.
@Suite struct HostileAnswerTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [
        "", "<html>Sign in to our network</html>", "null", "[]", "{}", #"{"cursor": 5}"#, #"{"cursor": "x"}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "details": {}, "more": false}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["../n1"], "#
            + #""details": {"../n1": {"title":"","body":"","revision":1}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"\u0000","body":"","revision":1}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"","body":"","revision":-1}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"","body":"\ud800","revision":1}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"","body":"","revision":1,"tags":["a\u0000"]}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"","body":"","revision":1,"tags":"work"}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": ["n1"], "#
            + #""details": {"n1": {"title":"","body":"","revision":1,"tags":[],"pinned":"yes"}}}"#,
        #"{"revision": 1, "cursor": "1.k3f9", "order": [], "details": {}, "more": true}"#,
        #"{"revision": 1, "cursor": "99999999999999999999.k3f9", "order": [], "details": {}, "more": false}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `a page that cannot be is refused, and the notes stay as they are`(body: String) async throws {
        let transport = ScriptedTransport { _, _ in .text(body) }
        let store = try folder.open("a.db", transport.server)
        let id = try await store.create(body: "milk").id
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        guard case .failed(.unexpectedResponse) = await store.status else {
            Issue.record("the state is \(await store.status)")
            return
        }
        #expect(try await store.notes().map(\.body) == ["milk"])
        #expect(try await store.note(id)?.status == .onThisDevice)
    }

    /// The full note contains tags that other devices have added.
    @Test(.timeLimit(.minutes(1)))
    func `tags that were left out of a long answer are read`() async throws {
        let transport = ScriptedTransport { request, _ in
            if request.url.contains("?revision=") {
                return .text(#"{"title": "", "body": "milk", "revision": 1, "tags": ["theirs"], "pinned": true}"#)
            }
            guard request.method == "POST" else { return .text(#"{"cursor": "0.k3f9"}"#) }
            let ids = request.bodyText.split(separator: #""action_id":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
            let results = ids.enumerated().map { index, id in
                #"{"status": "applied", "action_id": "\#(id)", "revision": 1\#(index == 0 ? #", "tags": []"# : "")}"#
            }
            return .text(#"{"cursor": "1.k3f9", "results": [\#(results.joined(separator: ","))]}"#)
        }
        let store = try folder.open("a.db", transport.server)
        for _ in 0..<2 { try await store.create(body: "milk") }
        #expect(try await store.sync().isEmpty)
        #expect(Set(try await store.notes().map(\.tags)) == [[], ["theirs"]])
    }

    @Test(arguments: [
        "", "{}", #"{"results": 5}"#, #"{"cursor": "1.k3f9", "results": []}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "applied", "action_id": "ID"}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "loved", "action_id": "ID", "revision": 1}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "merged", "action_id": "ID", "revision": 1}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "merged", "action_id": "ID", "revision": 1, "#
            + #""body": [99, "x"]}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "merged", "action_id": "ID", "revision": 1, "#
            + #""body": [-9223372036854775808]}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "applied", "action_id": "ID", "revision": 1, "tags": {}}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "applied", "action_id": "ID", "revision": 1, "#
            + #""tags": ["\u0000"]}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "rejected", "action_id": "ID"}]}"#,
        #"{"results": [{"status": "applied", "action_id": "ID", "revision": 1}]}"#,
        #"{"cursor": "1.k3f9", "results": [{"status": "rejected", "action_id": "ID", "problem": {"status": 503}}]}"#,
    ])
    func `results that cannot be are refused, and the same action is sent again`(body: String) async throws {
        let transport = ScriptedTransport { request, count in
            guard request.method == "POST" else { return .empty }
            if count > 3 { return .text(#"{"cursor": "1.k3f9", "results": [\#(request.applied)]}"#) }
            return .text(body.replacing("ID", with: request.actionID))
        }
        let store = try folder.open("a.db", transport.server)
        let id = try await store.create(body: "milk").id
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        #expect(try await store.note(id)?.status == .onThisDevice)
        _ = try? await store.sync()
        try await store.sync()
        #expect(try await store.note(id)?.status == .onServer)
        let sent = transport.requests.filter { $0.method == "POST" }.map(\.bodyText)
        #expect(sent.count > 1 && Set(sent).count == 1)
    }

    @Test(arguments: [
        (500, NotesSyncFailure.refused(status: 500, problem: "")), (404, .refused(status: 404, problem: "")),
        (302, .refused(status: 302, problem: "")),
        (401, .signInRequired), (204, .unexpectedResponse("the status 204")), (410, .refused(status: 410, problem: "")),
    ])
    func `a status says why the two sides are not up to date`(status: Int, failure: NotesSyncFailure) async throws {
        let transport = ScriptedTransport { _, _ in .text("<html>", status: status) }
        let store = try folder.open("a.db", transport.server)
        try await store.create(body: "milk")
        await #expect(throws: failure) { try await store.sync() }
        #expect(try await store.notes().count == 1)
        #expect(transport.requests.count < 10)
    }

    @Test(arguments: ["duplicate", "merged"])
    func `the text that a result has no room for is read as of its revision`(status: String) async throws {
        let transport = ScriptedTransport { request, count in
            guard request.method == "POST" else {
                guard request.url.contains("revision=7") else { return .empty }
                return .text(#"{"id": "n", "title": "", "body": "oat milk", "revision": 7}"#)
            }
            let result = #"{"status": "\#(status)", "id": "n", "action_id": "\#(request.actionID)", "revision": 7}"#
            return .text(#"{"revision": 7, "cursor": "7.k3f9", "results": [\#(result)]}"#)
        }
        let store = try folder.open("a.db", transport.server)
        let id = try await store.create(body: "milk").id
        _ = try? await store.sync()
        #expect(transport.requests.contains { $0.method == "GET" && $0.url.hasSuffix("/notes/\(id)?revision=7") })
        #expect(try await store.note(id)?.body == "oat milk")
        #expect(try await store.note(id)?.status == .onServer)
        #expect(transport.requests.count { $0.method == "POST" } == 1)
    }

    @Test func `a text that can't be read is asked for again with its action`() async throws {
        let transport = ScriptedTransport { request, count in
            guard request.method == "POST" else {
                return request.url.contains("revision=7") ? .text("", status: 503) : .empty
            }
            if count > 5 { return .text(#"{"cursor": "8.k3f9", "results": [\#(request.applied)]}"#) }
            let result = #"{"status": "duplicate", "id": "n", "action_id": "\#(request.actionID)", "revision": 7}"#
            return .text(#"{"revision": 7, "cursor": "7.k3f9", "results": [\#(result)]}"#)
        }
        let store = try folder.open("a.db", transport.server)
        let id = try await store.create(body: "milk").id
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        #expect(try await store.note(id)?.status == .onThisDevice)
        #expect(try await store.note(id)?.body == "milk")
        for _ in 0..<3 { _ = try? await store.sync() }
        #expect(try await store.note(id)?.status == .onServer)
    }

    @Test func `a server that asks for time gets it`() async throws {
        let transport = ScriptedTransport { _, _ in
            .text("", status: 429, headers: [(name: "retry-after", value: "7")])
        }
        let store = try folder.open("a.db", transport.server)
        await #expect(throws: NotesSyncFailure.retryLater(after: .seconds(7))) { try await store.sync() }
    }

    @Test func `a token that was refused is exchanged once`() async throws {
        let transport = ScriptedTransport { request, _ in
            request.headers.contains { $0.value == "Bearer new" } ? .empty : .text("", status: 401)
        }
        let tokens = ScriptedTokens { refused in refused == nil ? "old" : "new" }
        try await folder.open("a.db", ServerAccess(transport: transport, tokens: tokens)).sync()
        #expect(transport.requests.count == 4)
    }

    @Test func `a token that cannot be had for now is no sign-in that is needed`() async throws {
        struct Away: Error {}
        let transport = ScriptedTransport { _, _ in .empty }
        let away = try folder.open(
            "a.db", ServerAccess(transport: transport, tokens: ScriptedTokens { _ in throw Away() }))
        await #expect(throws: NotesSyncFailure.unreachable("no access token: Away()")) { try await away.sync() }
        let ended = try folder.open(
            "b.db", ServerAccess(transport: transport, tokens: ScriptedTokens { _ in throw SignInRequired() }))
        await #expect(throws: NotesSyncFailure.signInRequired) { try await ended.sync() }
        #expect(transport.requests.isEmpty)
        #expect(await !away.hasEverSynced)
    }

    @Test func `a note tells the server's revision and place once there are any`() async throws {
        let note = #"{"title": "T", "body": "b", "revision": 7, "position": "a0"}"#
        let transport = ScriptedTransport { _, _ in
            .text(#"{"cursor": "7.k3f9", "order": ["n1"], "details": {"n1": \#(note)}, "deleted": [], "more": false}"#)
        }
        let store = try folder.open("a.db", transport.server)
        let own = try await store.create(title: "mine")
        #expect(own.revision == nil && own.position == nil)
        _ = try? await store.sync()
        let received = try #require(try await store.note("n1"))
        #expect(received.revision == 7 && received.position == "a0")
        #expect(await store.hasEverSynced)
    }

    @Test func `one action that spoils its batch is found, and the others are taken`() async throws {
        let transport = ScriptedTransport { request, _ in
            guard request.method == "POST" else { return .empty }
            if request.bodyText.contains("poison") {
                return .text(
                    #"{"type": "urn:almanac:problem:invalid-value", "status": 422, "detail": "no"}"#, status: 422)
            }
            return .text(#"{"cursor": "1.k3f9", "results": [\#(request.applied)]}"#)
        }
        let store = try folder.open("a.db", transport.server)
        var ids: [String] = []
        for index in 0..<9 { ids.append(try await store.create(body: index == 5 ? "poison" : "\(index)").id) }
        try await store.sync()
        let statuses = try await store.notes().map(\.status)
        #expect(statuses.filter { $0 == .onServer }.count == 8)
        #expect(
            try await store.note(ids[5])?.status
                == .needsAttention(StoredNote.Problem(type: "invalid-value", detail: "no")))
        try await store.discard(ids[5])
        #expect(try await store.notes().count == 8)
    }

    @Test func `a thousand calls make one sync`() async throws {
        let transport = ScriptedTransport { _, _ in .empty }
        let store = try folder.open("a.db", transport.server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { try await store.sync() } }
            try await group.waitForAll()
        }
        #expect(transport.requests.count < 100)
        #expect(await store.status == .upToDate)
    }
}

extension TransportRequest {
    fileprivate var actionIDs: [String] {
        bodyText.matches(of: /"action_id":"([^"]+)"/).map { String($0.output.1) }
    }

    fileprivate var actionID: String { actionIDs.first ?? "" }

    /// The results of a batch in which every action was applied.
    fileprivate var applied: String {
        actionIDs.map { #"{"status": "applied", "action_id": "\#($0)", "revision": 1}"# }.joined(separator: ",")
    }
}
