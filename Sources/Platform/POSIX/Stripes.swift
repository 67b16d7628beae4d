internal import Synchronization

/// Values of one kind behind a lock each, of which a caller gets any one that is free.
///
/// What many threads touch for a moment makes them wait for each other where there is but one: a lock's owner that is
/// interrupted stops all, and each is then woken in turn.
public struct Stripes<Value: Sendable>: ~Copyable, Sendable {
    /// Invariant: none of them says more than the others about what callers may rely on; all together are the state.
    private let stripes: InlineArray<4, Mutex<Value>>

    /// - Parameter value: what each begins with.
    public init(_ value: Value) {
        stripes = InlineArray { _ in Mutex(value) }
    }

    /// Lends one that nobody has; where all are taken, the last one when it is free.
    public borrowing func withAny<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        for index in stripes.indices.dropLast() {
            if let result = try stripes[index].withLockIfAvailable({ (value) throws(Failure) in try body(&value) }) {
                return result
            }
        }
        return try stripes[stripes.count - 1].withLock { (value) throws(Failure) in try body(&value) }
    }

    /// Lends all of them, one after the other.
    public borrowing func withEach(_ body: (inout Value) -> Void) {
        for index in stripes.indices { stripes[index].withLock { body(&$0) } }
    }
}
