internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The requests under way in one session, told apart by their tasks.
final class TransportExchanges: NSObject, URLSessionDataDelegate, Sendable {
    static let redirectLimit = 5

    private struct Exchange {
        /// Nil once the head has been handed over.
        var head: CheckedContinuation<TransportResponse, any Error>?
        let body: AsyncThrowingStream<Data, any Error>.Continuation
        /// Nil once it has been handed over, so that the transfer ends when the receiver lets go of it.
        var stream: AsyncThrowingStream<Data, any Error>?
        let byteLimit: Int?
        var received = 0
        var redirects = 0

        func end(_ error: (any Error)?) {
            head?.resume(throwing: error ?? ConfigFailure.unreachable("no answer"))
            body.finish(throwing: error)
        }
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func begin(
        _ task: URLSessionDataTask, for request: TransportRequest,
        head: CheckedContinuation<TransportResponse, any Error>
    ) {
        let (stream, body) = AsyncThrowingStream<Data, any Error>.makeStream()
        body.onTermination = { _ in task.cancel() }
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(
                head: head, body: body, stream: stream, byteLimit: request.byteLimit)
        }
        // A task that was cancelled before it began would never say that it has ended.
        if Task.isCancelled { return end(task, CancellationError()) }
        task.resume()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        let begun: (() -> Void)? = exchanges.withLock { exchanges in
            guard let exchange = exchanges[dataTask.taskIdentifier], let stream = exchange.stream else { return nil }
            exchanges[dataTask.taskIdentifier]?.head = nil
            exchanges[dataTask.taskIdentifier]?.stream = nil
            let head = TransportResponse(status: response.statusCode, headers: headers, body: stream)
            return { exchange.head?.resume(returning: head) }
        }
        begun?()
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let excess = exchanges.withLock { exchanges -> Int? in
            exchanges[dataTask.taskIdentifier]?.received += data.count
            guard let exchange = exchanges[dataTask.taskIdentifier] else { return nil }
            if let limit = exchange.byteLimit, exchange.received > limit { return limit }
            exchange.body.yield(data)
            return nil
        }
        if let excess { end(dataTask, ConfigFailure.tooLarge(limit: excess)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let redirects = exchanges.withLock { exchanges in
            exchanges[task.taskIdentifier]?.redirects += 1
            return exchanges[task.taskIdentifier]?.redirects ?? 0
        }
        if redirects > Self.redirectLimit {
            completionHandler(nil)
            return end(task, ConfigFailure.redirectedTooOften)
        }
        if task.originalRequest?.url?.scheme == "https", request.url?.scheme != "https" {
            completionHandler(nil)
            return end(task, ConfigFailure.unexpectedAnswer("expected redirects to stay on https"))
        }
        var next = request
        if !Self.sameOrigin(task.originalRequest?.url, request.url) {
            next.setValue(nil, forHTTPHeaderField: "Authorization")
        }
        completionHandler(next)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(task, error.map(Self.failure))
    }

    private func end(_ task: URLSessionTask, _ error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(error)
        task.cancel()
    }

    private static func failure(_ error: any Error) -> ConfigFailure {
        let error = error as? URLError
        return error?.code == .timedOut ? .timedOut : .unreachable(error?.localizedDescription ?? "the transfer failed")
    }

    private static func sameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        one?.scheme == other?.scheme && one?.host == other?.host && one?.port == other?.port
    }
}
