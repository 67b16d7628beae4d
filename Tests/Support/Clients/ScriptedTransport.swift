public import AlmanacClientRuntime
internal import Synchronization

/// The server of a test: says whatever the test wants, to see what a client makes of it.
public final class ScriptedTransport: ClientTransport {
    public typealias Response = TransportResponse<ByteStream>

    private let received = Mutex<[TransportRequest]>([])
    private let respond: @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Response

    /// - Parameter respond: is given a request, and how many came before it.
    public init(_ respond: @escaping @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Response) {
        self.respond = respond
    }

    /// The requests so far, in order.
    public var requests: [TransportRequest] { received.withLock { $0 } }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> Response {
        let count = received.withLock { received in
            received.append(request)
            return received.count - 1
        }
        return try await respond(request, count)
    }
}

extension TransportResponse<ByteStream> {
    /// A response whose body is text.
    public static func text(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> TransportResponse<ByteStream> {
        TransportResponse(status: status, headers: headers, bytes: Array(text.utf8))
    }

    /// A stream of events that consists of these parts and then ends, or goes on in silence.
    public static func events(_ parts: String..., ending: Bool = true) -> TransportResponse<ByteStream> {
        let (stream, continuation) = ByteStream.makeStream()
        for part in parts { continuation.yield(Array(part.utf8)) }
        if ending {
            continuation.finish()
        } else {
            // A stream ends when the last reference to its continuation goes.
            continuation.onTermination = { _ in withExtendedLifetime(continuation) {} }
        }
        return TransportResponse(
            status: 200, headers: [(name: "Content-Type", value: "text/event-stream")], body: stream)
    }
}

extension TransportRequest {
    /// The value of the first header field of that name, in any case.
    public func header(_ name: String) -> String? { HeaderFields(headers)[name] }
}
