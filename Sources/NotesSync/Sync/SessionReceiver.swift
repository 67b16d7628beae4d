internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Takes in what a session receives, task by task.
final class SessionReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe because the expectations are only touched under the lock.
    private let lock = NSLock()
    private var expectations: [Int: Expectation] = [:]

    /// The longest answer that is kept in memory, in bytes.
    private static let longest = 32 << 20

    enum Wish {
        case whole(CheckedContinuation<NotesAnswer, any Error>)
        case begin(CheckedContinuation<Int, any Error>, AsyncThrowingStream<[UInt8], any Error>.Continuation)
    }

    private struct Expectation {
        var wish: Wish?
        var answer = NotesAnswer(status: 0)
        var pipe: AsyncThrowingStream<[UInt8], any Error>.Continuation?
    }

    func expect(_ task: URLSessionTask, _ wish: Wish) {
        var expectation = Expectation(wish: wish)
        if case .begin(_, let pipe) = wish { expectation.pipe = pipe }
        lock.withLock { expectations[task.taskIdentifier] = expectation }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let opened: (CheckedContinuation<Int, any Error>, Int)? = lock.withLock {
            guard var expectation = expectations[dataTask.taskIdentifier], let response = response as? HTTPURLResponse
            else { return nil }
            expectation.answer.status = response.statusCode
            expectation.answer.headers = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
            var opened: (CheckedContinuation<Int, any Error>, Int)?
            if case .begin(let continuation, _) = expectation.wish {
                expectation.wish = nil
                opened = (continuation, response.statusCode)
            }
            expectations[dataTask.taskIdentifier] = expectation
            return opened
        }
        opened?.0.resume(returning: opened?.1 ?? 0)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (pipe, isTooLong) = lock.withLock {
            if let pipe = expectations[dataTask.taskIdentifier]?.pipe { return (pipe as Optional, false) }
            expectations[dataTask.taskIdentifier]?.answer.body += data
            let count = expectations[dataTask.taskIdentifier]?.answer.body.count ?? 0
            return (nil, count > Self.longest)
        }
        pipe?.yield(Array(data))
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let expectation = lock.withLock({ expectations.removeValue(forKey: task.taskIdentifier) }) else { return }
        expectation.pipe?.finish(throwing: error)
        switch expectation.wish {
        case .whole(let continuation):
            if let error {
                continuation.resume(throwing: error)
            } else {
                continuation.resume(returning: expectation.answer)
            }
        case .begin(let continuation, _): continuation.resume(throwing: error ?? URLError(.badServerResponse))
        case nil: break
        }
    }
}
