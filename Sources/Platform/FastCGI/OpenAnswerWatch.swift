internal import AlmanacCLinux
public import AlmanacPOSIX
internal import Glibc

/// Tells of open answers whose client has gone, and of those that can be sent more after their buffer was full.
public final class OpenAnswerWatch: Sendable {
    private let descriptor: Int32
    private let stop: Event

    /// What has happened to an answer.
    public struct Happening: Sendable, Equatable {
        /// What the answer was watched as.
        public let number: Int
        /// The web server has closed the connection; otherwise there is room for more bytes.
        public let isGone: Bool
    }

    /// No answer is watched as this.
    private static let stopNumber: UInt64 = 0
    private static let mostAtOnce = 256

    /// - Parameter stop: once it is set, `wait` returns at once.
    public init(stop: Event) throws(SystemFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last }
        self.stop = stop
        try watch(stop.descriptor, number: Self.stopNumber, EPOLLIN.rawValue)
    }

    deinit {
        close(descriptor)
    }

    /// Begins to watch an answer, until it is let go of.
    ///
    /// - Parameter number: greater than 0.
    public func watch(_ answer: OpenAnswer, number: Int) throws(SystemFailure) {
        // Edge-triggered: room is told of only after a send that found none.
        try watch(answer.descriptor, number: UInt64(number), EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    }

    /// Waits until something has happened, or the time is over.
    public func wait(upTo limit: Duration) -> [Happening] {
        let (seconds, attoseconds) = limit.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        // Safe because epoll_wait fills at most as many events as it is told there are, and returns how many.
        return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.mostAtOnce) { events in
            let count = unsafe epoll_wait(descriptor, events.baseAddress!, Int32(events.count), milliseconds)
            guard count > 0 else { return [] }
            return unsafe events.prefix(Int(count)).compactMap { event in
                guard unsafe event.data.u64 != Self.stopNumber else { return nil }
                let gone = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
                return unsafe Happening(number: Int(event.data.u64), isGone: event.events & gone != 0)
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
