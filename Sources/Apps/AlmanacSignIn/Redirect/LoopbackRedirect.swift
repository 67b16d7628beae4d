#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// A listener on this device that receives the browser's response to a sign-in (RFC 8252 §7.3).
///
/// The listener is bound to 127.0.0.1. It responds to every other request with an error, and stops at the first request
/// that its caller accepts as the response.
///
/// ```swift
/// let loopback = try LoopbackRedirect()
/// let request = try await session.begin(redirect: loopback.address)
/// print("Open \(request.url)")
/// let callback = try await loopback.callback(within: .seconds(300)) { request.isAnswered(by: $0) }
/// try await session.complete(request, callback: callback)
/// ```
public final class LoopbackRedirect: Sendable {
    /// The `redirect_uri` for the provider: `http://127.0.0.1:49152/callback`.
    public let address: String
    private let listener: LoopbackListener
    private let path: String

    /// Starts to listen.
    ///
    /// - Parameter port: a fixed port, for a provider that allows only one; 0 selects a free port.
    public init(port: UInt16 = 0, path: String = "/callback") throws(SignInFailure) {
        listener = try LoopbackListener(port: port)
        self.path = path
        address = "http://127.0.0.1:\(listener.port)\(path)"
    }

    /// Waits for the response and returns its URL.
    ///
    /// - Parameters:
    ///   - limit: the time after which ``SignInFailure/timedOut`` is thrown.
    ///   - isExpected: returns true for the expected response. Any other request gets the status 400.
    public func callback(
        within limit: Duration, where isExpected: @escaping @Sendable (URL) -> Bool
    ) async throws(SignInFailure) -> URL {
        let (listener, path, address) = (listener, path, address)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = BlockingThread.start {
                    let outcome = listener.serve(for: limit) { head in
                        Self.reply(to: head, path, address, isExpected)
                    }
                    continuation.resume(returning: outcome)
                }
                if !isStarted {
                    continuation.resume(returning: .failure(.setting("the system could not start another thread")))
                }
            }
        } onCancel: {
            listener.stop()
        }
        return try outcome.get()
    }

    /// - Parameter head: the request line and the headers.
    private static func reply(
        to head: String, _ path: String, _ address: String, _ isExpected: (URL) -> Bool
    ) -> (text: String, callback: URL?) {
        let words = head.prefix { !$0.isNewline }.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return (page("400 Bad Request", "Expected HTTP."), nil)
        }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target[0] == path else { return (page("404 Not Found", "Not found."), nil) }
        guard words[0] == "GET" else { return (page("405 Method Not Allowed", "Expected GET."), nil) }
        guard target.count == 2, let url = URL(string: "\(address)?\(target[1])"), isExpected(url) else {
            return (page("400 Bad Request", "This response does not belong to the current sign-in."), nil)
        }
        return (page("200 OK", "Return to the app to continue. You can close this window."), url)
    }

    private static func page(_ status: String, _ text: String) -> String {
        [
            "HTTP/1.1 \(status)", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count + 1)",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            "Connection: close", "", text + "\n",
        ].joined(separator: "\r\n")
    }
}

/// A separate thread for blocking work, because waiting tasks may occupy all threads of Swift's and Dispatch's pools.
private enum BlockingThread {
    /// Starts a thread. Returns false if the system can't create another thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Glibc)
            var thread = pthread_t()
            let work = unsafe Unmanaged.passRetained(Work(body))
            // Safe because the object is released once: by the thread, or below if the thread was not created.
            let code = unsafe pthread_create(
                &thread, nil,
                { argument in
                    unsafe Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                    return nil
                }, work.toOpaque())
            guard code == 0 else {
                unsafe work.release()
                return false
            }
            pthread_detach(thread)
        #else
            Thread.detachNewThread(body)
        #endif
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
