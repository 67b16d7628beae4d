internal import Synchronization

/// Bounds how many threads wait for something at the same time, so that a server always has others that answer.
public final class WaitLimit: Sendable {
    private let most: Int
    private let waiting = Atomic(0)

    public init(_ most: Int) {
        self.most = most
    }

    /// Whether one more thread may wait; it then calls `leave` once it waits no more.
    public func enter() -> Bool {
        if waiting.add(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    public func leave() { waiting.subtract(1, ordering: .relaxed) }
}
