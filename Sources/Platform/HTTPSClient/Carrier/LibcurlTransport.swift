public import AlmanacTransport

/// Carries requests over libcurl, on one thread of its own, with connections that are used again.
///
/// A proxy is used where the process's environment names one, except on this machine itself. What is under way when the
/// carrier goes comes to its end.
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
                    loop.begin(ExchangeOrder(id: id, request, head))
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
