public import Synchronization

/// Values of one kind, each behind its own lock. A caller gets any value whose lock is free.
///
/// A single lock would make many threads wait for each other: if the thread that holds the lock is interrupted, all
/// others stop, and are then woken one by one.
///
/// Inlinable, so that the compiler specialises each use: requests take such a lock several times.
public struct StripedLock<Value: Sendable>: ~Copyable, Sendable {
    /// Invariant: the state is the combination of all values; callers must not rely on a single one.
    @usableFromInline let stripes: InlineArray<4, Mutex<Value>>

    @inlinable public init(_ value: Value) { stripes = InlineArray { _ in Mutex(value) } }

    /// Calls a closure with a value whose lock is free, or with the last value once its lock is free.
    @inlinable public borrowing func withAnyLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        for index in stripes.indices.dropLast() {
            if let result = try stripes[index].withLockIfAvailable({ (value) throws(Failure) in try body(&value) }) {
                return result
            }
        }
        return try stripes[stripes.count - 1].withLock { (value) throws(Failure) in try body(&value) }
    }

    @inlinable public borrowing func withEachLock(_ body: (inout Value) -> Void) {
        for index in stripes.indices { stripes[index].withLock { body(&$0) } }
    }
}
