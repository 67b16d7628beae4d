import AlmanacNotes
import AlmanacPOSIX

/// A server that says whatever a test wants, to see what the library makes of it.
final class ScriptedTransport: NotesTransport {
    private let log = Monitor<[NotesRequest]>([])
    private let answer: @Sendable (NotesRequest, Int) throws -> NotesAnswer

    /// - Parameter answer: is given the request, and how many came before it.
    init(_ answer: @escaping @Sendable (NotesRequest, Int) throws -> NotesAnswer) {
        self.answer = answer
    }

    var requests: [NotesRequest] { log.read { $0 } }

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        let count = log.update { log in
            log.append(request)
            return log.count - 1
        }
        return try answer(request, count)
    }

    func open(_ request: NotesRequest) async throws -> NotesStream {
        let answer = try await send(request)
        return NotesStream(
            status: answer.status,
            bytes: AsyncThrowingStream { pipe in
                pipe.yield(answer.body)
                pipe.finish()
            })
    }

    var server: NotesServer { NotesServer(self) { _ in "token" } }
}

extension NotesAnswer {
    static func json(_ text: String, status: Int = 200) -> NotesAnswer {
        NotesAnswer(status: status, body: Array(text.utf8))
    }

    /// A page without notes.
    static let empty = json(
        #"{"revision": 0, "cursor": "0.k3f9", "order": [], "details": {}, "deleted": [], "more": false}"#)
}

extension NotesRequest {
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    var bodyText: String { String(decoding: body ?? [], as: UTF8.self) }
}
