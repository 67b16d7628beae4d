internal import AlmanacCCurl
public import AlmanacTransport

/// Sends requests over libcurl, on one thread of its own, with connections that are used again.
///
/// A proxy is used where the process's environment names one, except on this machine itself. What is under way when the
/// transport goes comes to its end.
public final class LibcurlTransport: ClientTransport {
    private let loop: TransferLoop

    /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    public init(caFile: String? = nil) {
        loop = TransferLoop(caFile: caFile)
    }

    deinit {
        loop.close()
    }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        let (loop, id) = (loop, loop.newID())
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    loop.begin(QueuedRequest(request, id: id, head))
                    // A cancel that came before the beginning was in vain.
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

/// A request on its way to the thread of a transfer loop, with the continuation of its caller.
struct QueuedRequest: Sendable {
    let id: UInt64
    let request: TransportRequest
    /// Resumed once.
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

/// A transfer whose response is handed on as it comes.
final class StreamedTransfer: Transfer {
    let id: UInt64
    private let body: ByteStream.Continuation
    /// Nil once the head is handed over.
    private var head: CheckedContinuation<TransportResponse<ByteStream>, any Error>?
    /// Nil once it is handed over, so that it is noticed when the receiver lets go of it.
    private var stream: ByteStream?

    /// - Throws: what HTTP cannot carry; the caller's continuation is not resumed then.
    init(_ queued: QueuedRequest, caFile: String?) throws(TransportFailure) {
        (id, head, stream, body) = (queued.id, queued.head, queued.stream, queued.body)
        try super.init(queued.request, caFile: caFile)
        // Every encoding that libcurl can undo.
        handle.set(CURLOPT_ACCEPT_ENCODING, "")
    }

    override func begin(_ status: Int, _ headers: HeaderFields) {
        guard let head, let stream else { return }
        (self.head, self.stream) = (nil, nil)
        head.resume(returning: TransportResponse<ByteStream>(status: status, headers: headers, body: stream))
    }

    override func take(_ part: [UInt8]) -> Bool {
        if case .dropped = body.yield(part) { return breakOff(.unread) }
        return true
    }

    /// Tells the receiver that the transfer is over.
    func end(_ code: CURLcode) {
        finish(failure(code))
    }

    /// Tells the receiver that nothing more comes.
    func cancel() {
        finish(.cancelled)
    }

    private func finish(_ failure: TransportFailure?) {
        head?.resume(throwing: failure ?? .unreachable("no answer"))
        head = nil
        body.finish(throwing: failure)
    }
}
