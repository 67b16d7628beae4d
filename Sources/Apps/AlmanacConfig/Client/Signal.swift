internal import Synchronization

/// Wakes everyone who follows something that has changed.
///
/// Several changes may become one wake-up: who wakes looks at what is there then.
final class Signal: Sendable {
    private struct State {
        var next = 0
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// A stream that starts with one wake-up and ends when the signal does.
    func wakeUps() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        return stream
    }

    func send() {
        let followers = state.withLock { Array($0.followers.values) }
        for follower in followers { follower.yield() }
    }

    func end() {
        let followers = state.withLock { state in
            state.isOver = true
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
