public import AlmanacTransport
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Carries requests over Foundation's `URLSession`, without its caches and cookies.
///
/// For Apple's platforms. On Linux, Foundation ends the process when a connection breaks within the head of an answer, and
/// keeps a processor busy while it waits (seen with Swift 6.3), so only tests use it there.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let exchanges = SessionExchanges()

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // On Linux it goes before the request's own.
        configuration.timeoutIntervalForRequest = 3600
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        guard let url = URL(string: request.url) else { throw .unsendable("the URL") }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        message.timeoutInterval = request.silence / .seconds(1)
        for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
        let (task, exchanges) = (session.dataTask(with: message), exchanges)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    exchanges.begin(task, for: request, head)
                }
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw error as? TransportFailure ?? .unreachable("\(error)")
        }
    }
}
