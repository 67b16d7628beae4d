import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that cancel calls while a server is silent. Without the cancellation, the calls would last an hour.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func store(_ server: StallingServer) throws -> NotesStore {
        var options = NotesOptions()
        options.transport = UnlimitedTransport()
        return try NotesStore(
            file: folder.file("notes.db"), environment: URL(string: "\(server.base)/production")!, account: .alice,
            tokens: FixedToken("token"), options: options)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled sync returns while the server is silent`(point: StallingServer.Point) async throws {
        let server = try StallingServer(point)
        let store = try store(server)
        let id = try await store.create(body: "milk").id
        let sync = Task { await #expect(throws: NotesSyncFailure.cancelled) { try await store.sync() } }
        #expect(try await server.stalls())
        _ = await timeToEnd(sync)
        // A cancellation does not count as a failure of the server, and the store still works.
        #expect(try await store.becomes { await $0.status == .notStarted })
        try await store.edit(id) { $0.body += "!" }
        #expect(try await store.notes().map(\.body) == ["milk!"])
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `following that is cancelled ends while the server is silent`(point: StallingServer.Point) async throws {
        let server = try StallingServer(point)
        let store = try store(server)
        let following = Task { await store.follow() }
        // The sync and the stream have both stalled.
        #expect(try await server.stalls(2))
        _ = await timeToEnd(following)
    }

    @Test func `one of two that wait for a sync leaves when it is cancelled, and the sync goes on`() async throws {
        let (isAsked, asked) = AsyncStream<Void>.makeStream()
        let (mayAnswer, answer) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { _, _ throws(TransportFailure) in
            asked.finish()
            for await _ in mayAnswer {}
            return Task.isCancelled ? .text("", status: 500) : .empty
        }
        let store = try folder.open("notes.db", transport.server)
        let first = Task { try await store.sync() }
        for await _ in isAsked {}
        let second = Task { await #expect(throws: NotesSyncFailure.cancelled) { try await store.sync() } }
        _ = await timeToEnd(second)
        #expect(await store.status == .syncing)
        answer.finish()
        _ = try await first.value
        #expect(await store.status == .upToDate)
    }

    @Test func `a token that does not come holds nobody up who is cancelled`() async throws {
        struct Never: TokenProvider {
            func accessToken(replacing refused: String?) async throws -> String {
                try await Task.sleep(for: .seconds(3600))
                return ""
            }
        }
        let server = ServerAccess(transport: ScriptedTransport { _, _ in .empty }, tokens: Never())
        let store = try folder.open("notes.db", server)
        let sync = Task { await #expect(throws: NotesSyncFailure.cancelled) { try await store.sync() } }
        #expect(try await store.becomes { await $0.status == .syncing })
        _ = await timeToEnd(sync)
    }
}
