internal import Synchronization

/// A value that is worked out once, when it is first asked for, and then read by any thread without a lock.
final class Lazy<Value: AnyObject & Sendable>: Sendable {
    private let slot = AtomicLazyReference<Value>()

    /// The value. Threads that ask at the same time may each work it out; all get the one that came first.
    func value(_ make: () throws -> Value) rethrows -> Value {
        if let value = slot.load() { return value }
        return slot.storeIfNil(try make())
    }
}

/// Bytes that are ready to send, as an object that can be shared.
final class SharedBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
