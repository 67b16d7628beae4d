internal import AlmanacTransport

/// A request on its way to the thread that carries it, with who waits for the answer.
struct ExchangeOrder: Sendable {
    let id: UInt64
    let request: TransportRequest
    /// Resumed once.
    let head: CheckedContinuation<TransportResponse<ByteStream>, any Error>
    let stream: ByteStream
    let body: ByteStream.Continuation

    init(id: UInt64, _ request: TransportRequest, _ head: CheckedContinuation<TransportResponse<ByteStream>, any Error>)
    {
        self.id = id
        self.request = request
        self.head = head
        (stream, body) = request.makeBody()
    }
}
