internal import Synchronization

/// A value that is worked out once, when it is first asked for, and then read by any thread without a lock.
final class Lazy<Value: Sendable>: @unchecked Sendable {
    // Safe because the value is set once, before `isReady` says so and under `making`, and never changed after.
    private var ready: Value?
    private let isReady = Atomic(false)
    private let making = Mutex(())

    /// The value. Threads that ask for it while it is worked out wait for it.
    func value(_ make: () throws -> Value) rethrows -> Value {
        if !isReady.load(ordering: .acquiring) {
            try making.withLock { _ in
                if isReady.load(ordering: .relaxed) { return }
                ready = try make()
                isReady.store(true, ordering: .releasing)
            }
        }
        return ready!
    }
}
