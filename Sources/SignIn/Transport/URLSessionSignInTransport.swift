internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests through `URLSession`, without its caches and cookies. Redirects are not followed.
public final class URLSessionSignInTransport: SignInTransport {
    private let session: URLSession
    private let receiver = AnswerReceiver()

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // On Linux it goes before the request's, which bounds the whole exchange here and not the silence in it.
        configuration.timeoutIntervalForRequest = 3600
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: SignInRequest) async throws -> SignInAnswer {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var message = URLRequest(url: url, timeoutInterval: request.timeout)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
        let task = session.dataTask(with: message)
        let receiver = receiver
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                receiver.begin(task, request, continuation)
            }
        } onCancel: {
            task.cancel()
        }
    }
}
