internal import AlmanacCLinux
internal import AlmanacPOSIX
internal import Glibc

/// A set of descriptors that several threads wait for (`epoll(7)`). A report of a descriptor wakes one thread.
final class ReadySet: Sendable {
    private let descriptor: Int32

    init() throws(SystemFailure) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last }
    }

    deinit { close(descriptor) }

    enum Mode {
        /// Reported as long as it is readable.
        case always
        /// Reported whenever bytes arrive (edge-triggered), to one thread each time.
        case arrivals
    }

    /// Starts watching a descriptor for readable bytes or its end. `next` returns its tag when it is ready.
    func watch(_ watched: Int32, tag: UInt, _ mode: Mode) throws(SystemFailure) {
        try control(EPOLL_CTL_ADD, watched, tag, mode)
    }

    /// Has a descriptor that is watched for arrivals reported again if it is readable.
    func watchAgain(_ watched: Int32, tag: UInt) throws(SystemFailure) {
        try control(EPOLL_CTL_MOD, watched, tag, .arrivals)
    }

    func forget(_ watched: Int32) {
        // Removing a descriptor that is not watched fails harmlessly.
        try? control(EPOLL_CTL_DEL, watched, 0, .always)
    }

    /// Waits for a ready descriptor and returns its tag. Several ready descriptors are reported in turn.
    ///
    /// - Returns: `isLast` is true if the other side sends nothing more, so that no other report follows.
    func next() -> (tag: UInt, isLast: Bool) {
        var event = unsafe epoll_event()
        while true {
            // Safe because `u64` always holds the tag of a watched descriptor, never a pointer or a descriptor.
            if unsafe epoll_wait(descriptor, &event, 1, -1) == 1 {
                let ends = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
                return unsafe (UInt(event.data.u64), event.events & ends != 0)
            }
            precondition(errno == EINTR, "epoll_wait: \(SystemFailure.last)")
        }
    }

    private func control(_ operation: Int32, _ watched: Int32, _ tag: UInt, _ mode: Mode) throws(SystemFailure) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        if mode == .arrivals { unsafe event.events |= EPOLLET.rawValue }
        unsafe event.data.u64 = UInt64(tag)
        if unsafe epoll_ctl(descriptor, operation, watched, &event) < 0 { throw .last }
    }
}
