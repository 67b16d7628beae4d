internal import CLinux
internal import Glibc
internal import POSIX

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
    func watch(_ watched: Int32, _ mode: Mode) throws(SystemFailure) {
        try control(EPOLL_CTL_ADD, watched, mode)
    }

    /// Watches a descriptor again that was reported once.
    func watchAgain(_ watched: Int32) throws(SystemFailure) {
        try control(EPOLL_CTL_MOD, watched, .once)
    }

    /// Stops watching a descriptor.
    func forget(_ watched: Int32) {
        // One that is not watched any more needs no forgetting.
        try? control(EPOLL_CTL_DEL, watched, .once)
    }

    /// Waits until a descriptor is ready; several that are ready are reported in turn.
    func next() -> Int32 {
        var event = unsafe epoll_event()
        while true {
            // Safe because what is watched is always named by its descriptor, never by a pointer.
            if unsafe epoll_wait(descriptor, &event, 1, -1) == 1 { return unsafe event.data.fd }
            precondition(errno == EINTR, "epoll_wait: \(SystemFailure.last)")
        }
    }

    private func control(_ operation: Int32, _ watched: Int32, _ mode: Mode) throws(SystemFailure) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        if mode == .once { unsafe event.events |= EPOLLONESHOT.rawValue }
        unsafe event.data.fd = watched
        if unsafe epoll_ctl(descriptor, operation, watched, &event) < 0 { throw .last }
    }
}
