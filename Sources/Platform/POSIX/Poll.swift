internal import Glibc

/// Functions that wait for file descriptors.
public enum Poll {
    /// Blocks until a descriptor is readable, closed by its peer, or failed.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors in order of precedence: the first ready one is returned.
    ///   - limit: The time limit in whole milliseconds; nil waits indefinitely.
    /// - Returns: The ready descriptor, or nil after the time limit.
    public static func readable(_ descriptors: [Int32], upTo limit: Duration? = nil) -> Int32? {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Reading the clock again is needed only after an interruption.
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
    /// The duration in milliseconds for `poll(2)`, rounded up.
    fileprivate var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
