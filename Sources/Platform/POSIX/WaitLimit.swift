internal import Synchronization

/// A limit on the threads that wait at the same time, so that a server always has other threads to answer requests.
public final class WaitLimit: Sendable {
    private let maxWaiting: Int
    private let waiting = Atomic(0)

    public init(_ maxWaiting: Int) { self.maxWaiting = maxWaiting }

    /// Returns true if one more thread may wait. That thread must call `leave` after its wait.
    public func tryEnter() -> Bool {
        if waiting.add(1, ordering: .relaxed).newValue <= maxWaiting { return true }
        leave()
        return false
    }

    public func leave() { waiting.subtract(1, ordering: .relaxed) }
}
