internal import AlmanacCLinux
internal import Glibc
internal import Synchronization

/// A flag set by one thread and detected by others with `poll(2)` on its descriptor (`eventfd(2)`).
public final class Event: Sendable {
    /// A descriptor that is readable while the event is set.
    public let descriptor: Int32
    private let flag = Atomic(false)

    public init() throws(SystemFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { throw .last }
    }

    deinit { close(descriptor) }

    public func set() {
        flag.store(true, ordering: .releasing)
        var one: UInt64 = 1
        unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    public func clear() {
        flag.store(false, ordering: .releasing)
        var count: UInt64 = 0
        unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    public var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Blocks until the event is set or the time limit is reached. Returns true if the event is set.
    public func wait(upTo limit: Duration) -> Bool { Poll.readable([descriptor], upTo: limit) == descriptor }
}
