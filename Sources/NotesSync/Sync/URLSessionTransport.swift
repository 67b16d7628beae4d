public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Carries requests over Foundation's `URLSession`. Redirects are not followed, cookies not kept, and an answer of more
/// than 32 MiB is cut off.
///
/// On Linux, Foundation ends the process when a connection closes in the midst of an answer's head (seen with Swift 6.3).
public final class URLSessionTransport: NotesTransport {
    private let environment: URL
    private let session: URLSession
    private let receiver: SessionReceiver

    /// - Parameters:
    ///   - environment: the address of one environment: `https://notes.example.com/production`.
    ///   - configuration: nil for one without cache and cookies.
    public init(environment: URL, configuration: URLSessionConfiguration? = nil) {
        self.environment = environment
        receiver = SessionReceiver()
        session = URLSession(configuration: configuration ?? .ephemeral, delegate: receiver, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: NotesRequest) async throws -> NotesAnswer {
        let task = session.dataTask(with: try urlRequest(request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                receiver.expect(task, .whole(continuation))
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    public func open(_ request: NotesRequest) async throws -> NotesStream {
        var urlRequest = try urlRequest(request)
        // Between two pieces of a stream more time may pass than between request and answer.
        urlRequest.timeoutInterval = 3600
        let task = session.dataTask(with: urlRequest)
        let (bytes, pipe) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        pipe.onTermination = { _ in task.cancel() }
        let status = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                receiver.expect(task, .begin(continuation, pipe))
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return NotesStream(status: status, bytes: bytes)
    }

    private func urlRequest(_ request: NotesRequest) throws -> URLRequest {
        let address = environment.appendingPathComponent(request.path)
        guard var components = URLComponents(url: address, resolvingAgainstBaseURL: false) else {
            throw URLError(.badURL)
        }
        if !request.query.isEmpty {
            components.queryItems = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        }
        guard let url = components.url else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        urlRequest.timeoutInterval = Double(request.timeout.components.seconds)
        urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
        for header in request.headers { urlRequest.setValue(header.value, forHTTPHeaderField: header.name) }
        if let body = request.body { urlRequest.httpBody = Data(body) }
        return urlRequest
    }
}
