/// Carries HTTP requests to servers and their responses back. Tests and apps may bring their own.
public protocol ClientTransport: Sendable {
    /// Returns when the head of the final response is here. Cancelling the task ends the exchange.
    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream>
}

extension ClientTransport {
    /// Sends a request and waits for the whole response, whatever its status.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        try await open(request).whole(limit: request.byteLimit)
    }
}
