internal import AlmanacCLinux
internal import Glibc
internal import Synchronization

/// A flag that one thread sets and others notice in `poll(2)`, by its file descriptor (`eventfd(2)`).
public final class Event: Sendable {
    /// Readable from the moment that the event is set until it is cleared.
    public let descriptor: Int32
    private let flag = Atomic(false)

    public init() throws(SystemFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { throw .last }
    }

    deinit {
        close(descriptor)
    }

    /// Sets the event; setting it again changes nothing.
    public func set() {
        flag.store(true, ordering: .releasing)
        var one: UInt64 = 1
        unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Clears the event.
    public func clear() {
        flag.store(false, ordering: .releasing)
        var count: UInt64 = 0
        unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Whether the event is set now.
    public var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Blocks until the event is set or the time is over.
    ///
    /// - Returns: whether it is set.
    public func wait(upTo limit: Duration) -> Bool {
        Poll.readable([descriptor], upTo: limit) == descriptor
    }
}
