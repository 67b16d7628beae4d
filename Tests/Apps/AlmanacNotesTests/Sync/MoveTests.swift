import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// Tests of moves whose places or notes change before the server receives them.
@Suite struct MoveTests {
    /// A network that loses the responses to actions while it is on.
    private final class AnswerLoss: ClientTransport {
        private let real: any ClientTransport
        private let isOn = Monitor(false)

        init(_ real: any ClientTransport) { self.real = real }

        func turn(on: Bool) { isOn.update { $0 = on } }

        func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
            let response = try await real.open(request)
            if request.method == "POST", isOn.read({ $0 }) { throw .unreachable("the response is lost") }
            return response
        }
    }

    private let folder: Folder
    private let user: SimulatedUser
    private let network: AnswerLoss
    private let store: NotesStore

    init() async throws {
        folder = try Folder()
        user = try await SimulatedUser("moves")
        network = AnswerLoss(try Instance.current().transport)
        store = try folder.open("a.db", user.server(behind: network))
    }

    @Test func `the late answer to a move is not taken for that to a later move`() async throws {
        var ids: [String] = []
        for name in ["a", "b", "c"] { ids.append(try await store.create(body: name).id) }
        try await store.sync()
        try await store.move(ids[2], after: nil)
        network.turn(on: true)
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        network.turn(on: false)
        try await store.delete(ids[2])
        try await store.restore(ids[2])
        try await store.move(ids[2], after: ids[0])
        try await store.sync()
        #expect(try await store.notes().map(\.body) == ["a", "c", "b"])
        #expect(try await user.read("notes").texts("order") == [ids[0], ids[2], ids[1]])
    }

    @Test func `a move behind a note that will never be sent does not wait for it`() async throws {
        let id = try await store.create(body: "a").id
        try await store.sync()
        let other = try await store.create().id
        try await store.move(id, after: other)
        try await store.delete(other)
        try await store.sync()
        #expect(await !store.hasUnsentChanges)
        #expect(try await store.note(id)?.status == .onServer)
    }

    @Test func `a note in the trash is not moved, and comes back to where it was`() async throws {
        var ids: [String] = []
        for name in ["a", "b"] { ids.append(try await store.create(body: name).id) }
        try await store.sync()
        try await store.delete(ids[1])
        try await store.move(ids[1], after: nil)
        try await store.sync()
        try await store.restore(ids[1])
        try await store.sync()
        #expect(try await store.notes().map(\.body) == ["a", "b"])
        #expect(try await user.read("notes").texts("order") == ids)
    }
}
