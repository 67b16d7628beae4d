internal import Glibc

public enum Poll {
    /// Blocks until a descriptor is readable, closed by its peer, or failed. Returns the ready descriptor that comes
    /// first in the list, or nil after the time limit.
    ///
    /// - Parameter limit: The time limit in whole milliseconds; nil waits indefinitely.
    public static func readable(_ descriptors: [Int32], upTo limit: Duration? = nil) -> Int32? {
        wait(for: POLLIN, descriptors, upTo: limit)
    }

    /// Blocks until a descriptor takes more bytes, has been closed by its peer, or failed. Returns false after the time
    /// limit.
    public static func writable(_ descriptor: Int32, upTo limit: Duration) -> Bool {
        wait(for: POLLOUT, [descriptor], upTo: limit) != nil
    }

    private static func wait(for events: Int32, _ descriptors: [Int32], upTo limit: Duration?) -> Int32? {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        // Reading the clock again is needed only after an interruption.
        let start = ContinuousClock.now
        var remaining = limit
        RunnableThreads.makeWay()
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
