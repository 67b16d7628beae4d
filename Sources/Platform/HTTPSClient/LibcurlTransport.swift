internal import AlmanacCCurl
public import AlmanacTransport

/// A transport over libcurl, with one thread of its own and reused connections.
///
/// The proxy of the process's environment is used, except for this machine. Transfers in progress finish even after the
/// transport is released.
public final class LibcurlTransport: ClientTransport {
    private let loop: TransferLoop

    /// - Parameter caFile: The only trusted certificate authorities, in PEM; nil trusts those of the system.
    public init(caFile: String? = nil) { loop = TransferLoop(caFile: caFile) }

    deinit { loop.close() }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        let (loop, id) = (loop, loop.newID())
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    loop.begin(QueuedRequest(request, id: id, head))
                    // A cancellation before `begin` had no effect.
                    if Task.isCancelled { loop.cancel(id) }
                }
            } onCancel: {
                loop.cancel(id)
            }
        } catch {
            throw error as? TransportFailure ?? .unreachable("\(error)")
        }
    }
}

/// A request queued for the thread of a transfer loop, with the continuation of its caller.
struct QueuedRequest: Sendable {
    let id: UInt64
    let request: TransportRequest
    /// The caller's continuation, resumed once.
    let head: CheckedContinuation<TransportResponse<ByteStream>, any Error>
    let stream: ByteStream
    let body: ByteStream.Continuation

    init(_ request: TransportRequest, id: UInt64, _ head: CheckedContinuation<TransportResponse<ByteStream>, any Error>)
    {
        self.id = id
        self.request = request
        self.head = head
        (stream, body) = request.makeBody()
    }
}

/// A transfer that passes on the response as it arrives.
final class StreamedTransfer: Transfer {
    let id: UInt64
    private let body: ByteStream.Continuation
    /// Nil once the head is passed on.
    private var head: CheckedContinuation<TransportResponse<ByteStream>, any Error>?
    /// Nil once passed on, so that the transfer is cancelled when the receiver releases the stream.
    private var stream: ByteStream?

    /// - Throws: `.unsendable` for a request that HTTP cannot carry; the caller's continuation is then not resumed.
    init(_ queued: QueuedRequest, caFile: String?) throws(TransportFailure) {
        (id, head, stream, body) = (queued.id, queued.head, queued.stream, queued.body)
        try super.init(queued.request, caFile: caFile)
        // The empty text accepts every encoding that libcurl can decode.
        handle.set(CURLOPT_ACCEPT_ENCODING, "")
    }

    override func begin(_ status: Int, _ headers: HeaderFields) {
        guard let head, let stream else { return }
        (self.head, self.stream) = (nil, nil)
        head.resume(returning: TransportResponse<ByteStream>(status: status, headers: headers, body: stream))
    }

    override func take(_ part: [UInt8]) -> Bool {
        if case .dropped = body.yield(part) { return abort(.readTooSlowly) }
        return true
    }

    func end(_ code: CURLcode) { finish(failure(code)) }

    func cancel() { finish(.cancelled) }

    private func finish(_ failure: TransportFailure?) {
        head?.resume(throwing: failure ?? .unreachable("no response"))
        head = nil
        body.finish(throwing: failure)
    }
}
