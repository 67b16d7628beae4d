internal import Glibc

/// Waiting for file descriptors.
public enum Poll {
    /// Blocks until one of the descriptors can be read, was closed by its peer, or failed.
    ///
    /// - Parameters:
    ///   - descriptors: in order of precedence: of several that are ready the first is returned.
    ///   - limit: how long to wait at most, in whole milliseconds; nil waits as long as it takes.
    /// - Returns: the descriptor that is ready, or nil when the time was over.
    public static func readable(_ descriptors: [Int32], upTo limit: Duration? = nil) -> Int32? {
        let deadline = limit.map { ContinuousClock.now + $0 }
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let remaining = deadline.map { max(0, ($0 - ContinuousClock.now).wholeMilliseconds) } ?? -1
            let count = unsafe poll(&entries, nfds_t(entries.count), remaining)
            if count > 0 { return entries.first { $0.revents != 0 }?.fd }
            if count == 0 { return nil }
            precondition(errno == EINTR, "poll: \(SystemFailure.last)")
        }
    }
}

extension Duration {
    /// Milliseconds, rounded up, as `poll(2)` takes them.
    fileprivate var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
