internal import Synchronization

/// A broadcaster of changes. Every follower reads at its own pace, and its unread changes are merged into one.
///
/// Every sequence ends when the broadcaster is released.
package final class ChangeBroadcaster<Change: Sendable>: Sendable {
    private struct WeakSubscription {
        weak var subscription: Subscription?
    }

    /// Invariant: no subscription is added after `isFinished` is set.
    private struct State {
        var subscriptions: [WeakSubscription] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let merge: @Sendable (inout Change, Change) -> Void

    /// - Parameter merge: adds a later change to an earlier change.
    package init(merge: @escaping @Sendable (inout Change, Change) -> Void) { self.merge = merge }

    deinit { finish() }

    /// Returns a sequence of the changes from now on.
    ///
    /// - Parameter first: the first element of the sequence; nil starts with the next change.
    package func changes(startingWith first: Change? = nil) -> Changes {
        let subscription = Subscription(first)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.subscriptions.append(WeakSubscription(subscription: subscription)) }
            return state.isFinished
        }
        if isFinished { subscription.wake.finish() }
        return Changes(subscription: subscription)
    }

    package func send(_ change: Change) {
        state.withLock { state in
            state.subscriptions.removeAll { $0.subscription == nil }
            // The lock gives all followers the same order of changes.
            for entry in state.subscriptions { entry.subscription?.add(change, merge) }
        }
    }

    /// Ends every sequence once its pending change has been read.
    package func finish() {
        let subscriptions = state.withLock { state in
            state.isFinished = true
            defer { state.subscriptions = [] }
            return state.subscriptions.compactMap(\.subscription)
        }
        for subscription in subscriptions { subscription.wake.finish() }
    }

    /// A follower's subscription, removed when its last reference is released.
    fileprivate final class Subscription: Sendable {
        /// The merged changes that the follower has not read yet.
        private let pending: Mutex<Change?>
        let wakes: AsyncStream<Void>
        let wake: AsyncStream<Void>.Continuation

        init(_ first: Change?) {
            pending = Mutex(first)
            (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            if first != nil { wake.yield() }
        }

        deinit { wake.finish() }

        func add(_ change: Change, _ merge: (inout Change, Change) -> Void) {
            pending.withLock { pending in
                guard var merged = pending.take() else { return pending = change }
                merge(&merged, change)
                pending = merged
            }
            wake.yield()
        }

        func take() -> Change? { pending.withLock { $0.take() } }
    }

    package struct Changes: AsyncSequence, Sendable {
        package typealias Element = Change
        package typealias Failure = Never

        fileprivate let subscription: Subscription

        package func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription, wakes: subscription.wakes.makeAsyncIterator())
        }

        package struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription
            fileprivate var wakes: AsyncStream<Void>.Iterator

            /// Waits for the next change. Returns nil if the task is cancelled or the broadcaster has finished.
            package mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
                while await wakes.next(isolation: actor) != nil {
                    if let change = subscription.take() { return change }
                }
                return nil
            }
        }
    }
}

extension ChangeBroadcaster<Void> {
    /// Creates a broadcaster of change notices without a payload.
    package convenience init() { self.init { _, _ in } }
}
