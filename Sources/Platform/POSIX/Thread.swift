internal import AlmanacCLinux
internal import Glibc

/// A thread of the operating system, for blocking work that must not run on Swift's cooperative pool.
///
/// The value is a handle to wait for the thread. The thread continues without it.
public struct Thread: Sendable {
    private let finished: Monitor<Bool>

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name shown by debuggers and `ps -L`, cut to 15 bytes.
    ///   - body: The work of the thread, which ends when `body` returns.
    public init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = ThreadStart(name: String(decoding: name.utf8.prefix(15), as: UTF8.self), body: body)
        finished = start.finished
        var thread = pthread_t()
        // Safe because the retained start is released exactly once, by the new thread.
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                unsafe ThreadStart.run(argument!).update { $0 = true }
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        precondition(code == 0, "the system has no room for another thread: \(SystemFailure(code: code))")
        pthread_detach(thread)
    }

    /// Blocks until the thread has ended and has released all that its body captured, or the time limit is reached.
    /// Returns true if the thread has ended.
    @discardableResult public func wait(upTo limit: Duration) -> Bool {
        finished.wait(upTo: limit) { $0 ? true : nil } ?? false
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void
    let finished = Monitor(false)

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    /// Runs a retained start on this thread and releases it. Returns the monitor that signals the end of the thread.
    /// The function is not inlined, so that the release comes first.
    @inline(never) @unsafe static func run(_ retained: UnsafeMutableRawPointer) -> Monitor<Bool> {
        let start = unsafe Unmanaged<ThreadStart>.fromOpaque(retained).takeRetainedValue()
        unsafe pthread_setname_np(pthread_self(), start.name)
        start.body()
        return start.finished
    }
}
