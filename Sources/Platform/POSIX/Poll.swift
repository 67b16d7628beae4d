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
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Often something is ready right away, or soon: the clock is looked at only after an interruption.
        let start = ContinuousClock.now
        var remaining = limit
        while true {
            let count = unsafe poll(&entries, nfds_t(entries.count), remaining?.wholeMilliseconds ?? -1)
            if count > 0 { return entries.first { $0.revents != 0 }?.fd }
            if count == 0 { return nil }
            precondition(errno == EINTR, "poll: \(SystemFailure.last)")
            remaining = limit.map { max(.zero, $0 - (ContinuousClock.now - start)) }
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
