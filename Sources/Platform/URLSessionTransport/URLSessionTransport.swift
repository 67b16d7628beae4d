public import AlmanacTransport
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A transport over Foundation's `URLSession`, without caches and cookies.
///
/// Meant for Apple's platforms. On Linux, only tests use it, because Foundation there has three faults (seen with Swift
/// 6.3): it ends the process when a connection breaks within the head of a response, keeps a processor busy while it
/// waits, and trusts only the authorities in the system's file, whatever the environment says.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let transfers = SessionTransfers()

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // On Linux, this timeout takes precedence over the request's own.
        configuration.timeoutIntervalForRequest = 3600
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        guard let url = URL(string: request.url) else { throw .unsendable("the URL") }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        message.timeoutInterval = request.idleTimeout / .seconds(1)
        for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
        let (task, transfers) = (session.dataTask(with: message), transfers)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    transfers.begin(task, for: request, head)
                }
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw error as? TransportFailure ?? .unreachable("\(error)")
        }
    }
}

/// The transfers of one session, by task identifier.
private final class SessionTransfers: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer {
        let request: TransportRequest
        /// Nil once the head is passed on.
        var head: CheckedContinuation<TransportResponse<ByteStream>, any Error>?
        let body: ByteStream.Continuation
        /// Nil once passed on, so that the transfer ends when the receiver releases the stream.
        var stream: ByteStream?
        let deadline: Task<Void, Never>?
        var received = 0
        var redirects = 0

        func end(_ failure: TransportFailure?) {
            deadline?.cancel()
            head?.resume(throwing: failure ?? .unreachable("no response"))
            body.finish(throwing: failure)
        }
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    func begin(
        _ task: URLSessionDataTask, for request: TransportRequest,
        _ head: CheckedContinuation<TransportResponse<ByteStream>, any Error>
    ) {
        let (stream, body) = request.makeBody()
        body.onTermination = { _ in task.cancel() }
        // The session's own timeout restarts with every byte.
        let deadline = request.timeout.map { limit in
            Task { [weak self] in
                try? await Task.sleep(for: limit)
                if !Task.isCancelled { self?.end(task, .timedOut) }
            }
        }
        transfers.withLock {
            $0[task.taskIdentifier] = Transfer(
                request: request, head: head, body: body, stream: stream, deadline: deadline)
        }
        // A task that is cancelled before its start never reports its end.
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
        let failure = transfers.withLock { transfers -> TransportFailure? in
            transfers[dataTask.taskIdentifier]?.received += data.count
            guard let transfer = transfers[dataTask.taskIdentifier] else { return nil }
            if let limit = transfer.request.byteLimit, transfer.received > limit { return .tooLarge(limit: limit) }
            if case .dropped = transfer.body.yield(Array(data)) { return .readTooSlowly }
            return nil
        }
        if let failure { end(dataTask, failure) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let (redirects, limit) = transfers.withLock { transfers in
            transfers[task.taskIdentifier]?.redirects += 1
            let transfer = transfers[task.taskIdentifier]
            return (transfer?.redirects ?? 0, transfer?.request.redirectLimit ?? 0)
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
        let resume: (() -> Void)? = transfers.withLock { transfers in
            guard let transfer = transfers[task.taskIdentifier], let stream = transfer.stream else { return nil }
            transfers[task.taskIdentifier]?.head = nil
            transfers[task.taskIdentifier]?.stream = nil
            let begun = TransportResponse<ByteStream>(status: response.statusCode, headers: headers, body: stream)
            return { transfer.head?.resume(returning: begun) }
        }
        resume?()
    }

    private func end(_ task: URLSessionTask, _ failure: TransportFailure?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.end(failure)
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
