internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests through `URLSession`, without its caches and cookies.
///
/// Follows at most five redirects, and gives `Authorization` to the origin that was asked and to no other.
///
/// On Linux, Foundation ends the process when a connection closes in the midst of an answer's head (seen with Swift 6.3).
public final class URLSessionTransport: ConfigTransport {
    private let session: URLSession
    private let exchanges = TransportExchanges()

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // What takes too long is cancelled by who asked; this only bounds silence, and no stream is silent so long.
        configuration.timeoutIntervalForRequest = 120
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var message = URLRequest(url: request.url)
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: message)
        let exchanges = exchanges
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, for: request, head: continuation)
            }
        } onCancel: {
            task.cancel()
        }
    }
}
