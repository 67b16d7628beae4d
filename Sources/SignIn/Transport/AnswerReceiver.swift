internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The answers under way in one session, told apart by their tasks.
final class AnswerReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        let continuation: CheckedContinuation<SignInAnswer, any Error>
        let byteLimit: Int
        let deadline: Task<Void, Never>
        var body: [UInt8] = []
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func begin(
        _ task: URLSessionDataTask, _ request: SignInRequest,
        _ continuation: CheckedContinuation<SignInAnswer, any Error>
    ) {
        // The session's own time-out begins anew with every byte.
        let deadline = Task { [weak self] in
            try? await Task.sleep(for: .seconds(request.timeout))
            if !Task.isCancelled { self?.end(task, .failure(SignInFailure.unreachable("no answer in time"))) }
        }
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(
                continuation: continuation, byteLimit: request.byteLimit, deadline: deadline)
        }
        // A task that was cancelled before it began would never say that it has ended.
        if Task.isCancelled { return end(task, .failure(CancellationError())) }
        task.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let limit = exchanges.withLock { exchanges -> Int? in
            exchanges[dataTask.taskIdentifier]?.body += data
            guard let exchange = exchanges[dataTask.taskIdentifier], exchange.body.count > exchange.byteLimit else {
                return nil
            }
            return exchange.byteLimit
        }
        if let limit { end(dataTask, .failure(SignInFailure.unexpectedAnswer("expected at most \(limit) bytes"))) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Nobody but the address that was asked gets a code or a token.
        completionHandler(nil)
        end(task, .success(response.statusCode))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            let reason = (error as? URLError)?.localizedDescription ?? "the transfer failed"
            return end(task, .failure(SignInFailure.unreachable(reason)))
        }
        guard let response = task.response as? HTTPURLResponse else {
            return end(task, .failure(SignInFailure.unreachable("no answer")))
        }
        end(task, .success(response.statusCode))
    }

    private func end(_ task: URLSessionTask, _ outcome: Result<Int, any Error>) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.deadline.cancel()
        exchange.continuation.resume(with: outcome.map { SignInAnswer(status: $0, body: exchange.body) })
        task.cancel()
    }
}
