internal import AlmanacCLinux
public import AlmanacPOSIX
internal import Glibc

/// A watch that reports closed streams, and streams with room in their send buffer again.
public final class ResponseStreamWatch: Sendable {
    private let descriptor: Int32
    private let stop: Event
    private let wakeUp: Event

    /// A change of a stream's connection.
    public struct Change: Sendable, Equatable {
        /// The number under which the stream is watched.
        public let number: Int
        /// True if the web server has closed the connection; otherwise the send buffer has room.
        public let isGone: Bool
    }

    /// Numbers that no stream has.
    private static let stopNumber: UInt64 = 0
    private static let wakeUpNumber = UInt64.max
    private static let maxEventsPerWait = 256

    /// - Parameter stop: An event that makes `wait` return at once.
    public init(stop: Event) throws(SystemFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last }
        self.stop = stop
        wakeUp = try Event()
        try watch(stop.descriptor, number: Self.stopNumber, EPOLLIN.rawValue)
        // Edge-triggered: each `set` ends one wait, and the event is never cleared.
        try watch(wakeUp.descriptor, number: Self.wakeUpNumber, EPOLLIN.rawValue | EPOLLET.rawValue)
    }

    deinit { close(descriptor) }

    /// Watches a stream until it is released, under a number greater than 0.
    public func watch(_ stream: ResponseStream, number: Int) throws(SystemFailure) {
        // Edge-triggered: room is reported only after a send that found none.
        try watch(stream.descriptor, number: UInt64(number), EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    }

    /// Ends the current or the next `wait`.
    public func wake() { wakeUp.set() }

    /// Waits until a connection has changed, or the time limit is reached.
    public func wait(upTo limit: Duration) -> [Change] {
        let (seconds, attoseconds) = limit.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        // Safe because epoll_wait fills at most the given number of events, and returns their number.
        return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.maxEventsPerWait) { events in
            let count = unsafe epoll_wait(descriptor, events.baseAddress!, Int32(events.count), milliseconds)
            guard count > 0 else { return [] }
            return unsafe events.prefix(Int(count)).compactMap { event in
                guard unsafe ![Self.stopNumber, Self.wakeUpNumber].contains(event.data.u64) else { return nil }
                let gone = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
                return unsafe Change(number: Int(event.data.u64), isGone: event.events & gone != 0)
            }
        }
    }

    private func watch(_ watched: Int32, number: UInt64, _ events: UInt32) throws(SystemFailure) {
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.u64 = number
        if unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) < 0 { throw .last }
    }
}
