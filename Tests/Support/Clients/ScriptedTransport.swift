public import AlmanacClientRuntime
internal import Synchronization

/// A transport that answers every request from a closure, to test how a client reacts.
public final class ScriptedTransport: ClientTransport {
    public typealias Response = TransportResponse<ByteStream>

    private let received = Mutex<[TransportRequest]>([])
    private let respond: @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Response

    /// - Parameter respond: receives a request and the number of requests before it.
    public init(_ respond: @escaping @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Response) {
        self.respond = respond
    }

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
    /// Returns a response with a text as its body.
    public static func text(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> TransportResponse<ByteStream> {
        TransportResponse(status: status, headers: headers, bytes: Array(text.utf8))
    }

    /// Returns an event stream of these parts, which then ends or stays open without further bytes.
    public static func events(_ parts: String..., ending: Bool = true) -> TransportResponse<ByteStream> {
        let (stream, continuation) = ByteStream.makeStream()
        for part in parts { continuation.yield(Array(part.utf8)) }
        if ending {
            continuation.finish()
        } else {
            // A stream ends when the last reference to its continuation is released.
            continuation.onTermination = { _ in withExtendedLifetime(continuation) {} }
        }
        return TransportResponse(
            status: 200, headers: [(name: "Content-Type", value: "text/event-stream")], body: stream)
    }
}

extension TransportRequest {
    /// Returns the value of the first header of that name, ignoring case.
    public func header(_ name: String) -> String? { HeaderFields(headers)[name] }
}
