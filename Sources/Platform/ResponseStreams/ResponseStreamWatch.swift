internal import AlmanacCLinux
public import AlmanacPOSIX
internal import Glibc

/// Finds the streams whose client has gone, and those that can be sent more after their buffer was full.
public final class ResponseStreamWatch: Sendable {
    private let descriptor: Int32
    private let stop: Event
    private let wakeUp: Event

    /// How the connection of a stream has changed.
    public struct Change: Sendable, Equatable {
        /// The number that the stream is watched by.
        public let number: Int
        /// The web server has closed the connection; otherwise there is room for more bytes.
        public let isGone: Bool
    }

    /// No stream is watched by this number.
    private static let stopNumber: UInt64 = 0
    private static let wakeUpNumber = UInt64.max
    private static let mostAtOnce = 256

    /// - Parameter stop: once it is set, `wait` returns at once.
    public init(stop: Event) throws(SystemFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last }
        self.stop = stop
        wakeUp = try Event()
        try watch(stop.descriptor, number: Self.stopNumber, EPOLLIN.rawValue)
        // Edge-triggered: each time that it is set ends one waiting, and nobody clears it.
        try watch(wakeUp.descriptor, number: Self.wakeUpNumber, EPOLLIN.rawValue | EPOLLET.rawValue)
    }

    deinit {
        close(descriptor)
    }

    /// Begins to watch a stream, until it is released.
    ///
    /// - Parameter number: greater than 0.
    public func watch(_ stream: ResponseStream, number: Int) throws(SystemFailure) {
        // Edge-triggered: room is reported only after a send that found none.
        try watch(stream.descriptor, number: UInt64(number), EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    }

    /// Lets `wait` return, the one that is under way or the next.
    public func wake() { wakeUp.set() }

    /// Waits until a connection has changed, or the time is over.
    public func wait(upTo limit: Duration) -> [Change] {
        let (seconds, attoseconds) = limit.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        // Safe because epoll_wait fills at most as many events as it is told there are, and returns how many.
        return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.mostAtOnce) { events in
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
