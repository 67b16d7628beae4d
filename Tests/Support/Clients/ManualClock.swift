public import AlmanacClientRuntime
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that advances only when a test says so. The time of day can be moved separately from the uptime.
public final class ManualClock: ClientClock {
    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// Invariant: every sleeper's end is later than `uptime`.
    private struct State {
        var date: Date
        var uptime = Duration.seconds(1000)
        var sleepers: [Int: Sleeper] = [:]
        var nextID = 0
        /// The ids of sleepers whose task was cancelled before they were added to `sleepers`.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    public init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) { state = Mutex(State(date: date)) }

    public var date: Date { state.withLock { $0.date } }
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The remaining time of each sleeper, the shortest first.
    public var sleepers: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.end - state.uptime }.sorted() }
    }

    /// Advances both clocks, and wakes every sleeper that is due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            state.date += duration / .seconds(1)
            let due = state.sleepers.filter { $0.value.end <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Advances by a second every few milliseconds until the task is cancelled.
    public func passTime() -> Task<Void, Never> {
        Task {
            while (try? await Task.sleep(for: .milliseconds(5))) != nil { advance(by: .seconds(1)) }
        }
    }

    /// Moves only the time of day, like a user who sets the clock.
    public func moveDate(by duration: Duration) { state.withLock { $0.date += duration / .seconds(1) } }

    public func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if duration <= .zero { return .success(()) }
                    state.sleepers[id] = Sleeper(end: state.uptime + duration, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
