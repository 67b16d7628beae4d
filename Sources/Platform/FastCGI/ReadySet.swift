internal import AlmanacCLinux
internal import AlmanacPOSIX
internal import Glibc

/// Descriptors that threads wait for together (`epoll(7)`); a descriptor that is ready wakes one thread.
final class ReadySet: Sendable {
    private let descriptor: Int32

    init() throws(SystemFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last }
    }

    deinit {
        close(descriptor)
    }

    /// How a descriptor is watched.
    enum Mode {
        /// Reported for as long as it can be read.
        case always
        /// Reported to one thread, and then no more until it is watched again.
        case once
    }

    /// Begins to watch a descriptor for bytes to read, or for its end.
    ///
    /// - Parameter tag: what `next` returns when it is ready.
    func watch(_ watched: Int32, tag: UInt, _ mode: Mode) throws(SystemFailure) {
        try control(EPOLL_CTL_ADD, watched, tag, mode)
    }

    /// Watches a descriptor again that was reported once.
    func watchAgain(_ watched: Int32, tag: UInt) throws(SystemFailure) {
        try control(EPOLL_CTL_MOD, watched, tag, .once)
    }

    /// Stops watching a descriptor.
    func forget(_ watched: Int32) {
        // One that is not watched any more needs no forgetting.
        try? control(EPOLL_CTL_DEL, watched, 0, .once)
    }

    /// Waits until a descriptor is ready, and returns its tag; several that are ready are reported in turn.
    func next() -> UInt {
        var event = unsafe epoll_event()
        while true {
            // Safe because what is watched is always named by its tag, never by a pointer or a descriptor.
            if unsafe epoll_wait(descriptor, &event, 1, -1) == 1 { return unsafe UInt(event.data.u64) }
            precondition(errno == EINTR, "epoll_wait: \(SystemFailure.last)")
        }
    }

    private func control(_ operation: Int32, _ watched: Int32, _ tag: UInt, _ mode: Mode) throws(SystemFailure) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        if mode == .once { unsafe event.events |= EPOLLONESHOT.rawValue }
        unsafe event.data.u64 = UInt64(tag)
        if unsafe epoll_ctl(descriptor, operation, watched, &event) < 0 { throw .last }
    }
}
