internal import AlmanacTransport
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The exchanges under way in one session, told apart by their tasks.
final class SessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        let request: TransportRequest
        /// Nil once the head has been handed over.
        var head: CheckedContinuation<TransportResponse<ByteStream>, any Error>?
        let body: ByteStream.Continuation
        /// Nil once it has been handed over, so that the exchange ends when the receiver lets go of it.
        var stream: ByteStream?
        let deadline: Task<Void, Never>?
        var received = 0
        var redirects = 0

        func end(_ failure: TransportFailure?) {
            deadline?.cancel()
            head?.resume(throwing: failure ?? .unreachable("no answer"))
            body.finish(throwing: failure)
        }
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func begin(
        _ task: URLSessionDataTask, for request: TransportRequest,
        _ head: CheckedContinuation<TransportResponse<ByteStream>, any Error>
    ) {
        let (stream, body) = request.makeBody()
        body.onTermination = { _ in task.cancel() }
        // The session's own time-out begins anew with every byte.
        let deadline = request.deadline.map { limit in
            Task { [weak self] in
                try? await Task.sleep(for: limit)
                if !Task.isCancelled { self?.end(task, .timedOut) }
            }
        }
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(
                request: request, head: head, body: body, stream: stream, deadline: deadline)
        }
        // A task that was cancelled before it began would never say that it has ended.
        if Task.isCancelled { return end(task, .cancelled) }
        task.resume()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        handOver(dataTask, response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let failure = exchanges.withLock { exchanges -> TransportFailure? in
            exchanges[dataTask.taskIdentifier]?.received += data.count
            guard let exchange = exchanges[dataTask.taskIdentifier] else { return nil }
            if let limit = exchange.request.byteLimit, exchange.received > limit { return .tooLarge(limit: limit) }
            if case .dropped = exchange.body.yield(Array(data)) { return .unread }
            return nil
        }
        if let failure { end(dataTask, failure) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let (redirects, limit) = exchanges.withLock { exchanges in
            exchanges[task.taskIdentifier]?.redirects += 1
            let exchange = exchanges[task.taskIdentifier]
            return (exchange?.redirects ?? 0, exchange?.request.redirectLimit ?? 0)
        }
        if limit == 0 {
            handOver(task, response)
            completionHandler(nil)
            return end(task, nil)
        }
        if redirects > limit {
            completionHandler(nil)
            return end(task, .redirectedTooOften)
        }
        if task.originalRequest?.url?.scheme == "https", request.url?.scheme != "https" {
            completionHandler(nil)
            return end(task, .leftHTTPS)
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

    private func handOver(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        let begun: (() -> Void)? = exchanges.withLock { exchanges in
            guard let exchange = exchanges[task.taskIdentifier], let stream = exchange.stream else { return nil }
            exchanges[task.taskIdentifier]?.head = nil
            exchanges[task.taskIdentifier]?.stream = nil
            let answer = TransportResponse<ByteStream>(status: response.statusCode, headers: headers, body: stream)
            return { exchange.head?.resume(returning: answer) }
        }
        begun?()
    }

    private func end(_ task: URLSessionTask, _ failure: TransportFailure?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(failure)
        task.cancel()
    }

    private static func failure(_ error: any Error) -> TransportFailure {
        switch (error as? URLError)?.code {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        default: .unreachable((error as? URLError)?.localizedDescription ?? "the transfer failed")
        }
    }

    private static func sameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        one?.scheme == other?.scheme && one?.host == other?.host && one?.port == other?.port
    }
}
