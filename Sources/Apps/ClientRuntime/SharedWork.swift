internal import Synchronization

/// Work that runs once at a time, for everyone who asks for it meanwhile.
///
/// A caller whose task is cancelled leaves at once, and the work goes on for the others. It runs in a task of its own.
package final class SharedWork<Value: Sendable>: Sendable {
    private struct Run {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    /// Invariant: `run` is the work under way, if somebody still wants its outcome or it outlives its callers.
    private struct State {
        var run: Run?
        /// The last work of all, which the next one waits for.
        var last: Task<Void, Never>?
        /// Rises with each work and each caller.
        var number = 0
    }

    private let state = Mutex(State())
    private let outlivesCallers: Bool

    /// - Parameter outlivesCallers: whether the work goes on, and is joined, when the last caller has left; otherwise
    ///   it is cancelled then.
    package init(outlivesCallers: Bool = false) {
        self.outlivesCallers = outlivesCallers
    }

    /// Waits for the work that runs, or begins it.
    ///
    /// - Returns: nil when the caller's task was cancelled before the work was done.
    package func value(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await value(beginning: { work })
    }

    package typealias Work = @Sendable () async -> Value

    /// Waits for the work that runs, or begins it.
    ///
    /// - Parameter begin: gives the work, or says why there is none; called when none runs.
    /// - Returns: nil when the caller's task was cancelled before the work was done.
    package func value<Refusal: Error>(
        beginning begin: () throws(Refusal) -> Work
    ) async throws(Refusal) -> Value? {
        let (values, caller) = AsyncStream<Value>.makeStream()
        let number = try join(caller, begin)
        // A stream ends early for a task that is cancelled, and only then.
        for await value in values { return value }
        leave(number)
        return nil
    }

    /// Cancels the work that runs; those who wait for it get what it makes of that.
    package func cancel() {
        state.withLock { $0.run?.task }?.cancel()
    }

    private func join<Refusal: Error>(
        _ caller: AsyncStream<Value>.Continuation, _ begin: () throws(Refusal) -> Work
    ) throws(Refusal) -> Int {
        try state.withLock { state throws(Refusal) in
            state.number += 1
            let number = state.number
            if state.run == nil {
                let (work, before) = (try begin(), state.last)
                let task = Task {
                    // One that was cancelled may not have ended yet.
                    await before?.value
                    let value = await work()
                    for caller in self.end(number) { caller.yield(value) }
                }
                state.run = Run(number: number, task: task)
                state.last = task
            }
            state.run?.callers[number] = caller
            return number
        }
    }

    /// - Returns: those who wait for the outcome of a work, which is over now.
    private func end(_ number: Int) -> [AsyncStream<Value>.Continuation] {
        state.withLock { state in
            guard let run = state.run, run.number == number else { return [] }
            state.run = nil
            state.last = nil
            return Array(run.callers.values)
        }
    }

    private func leave(_ number: Int) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard state.run?.callers.removeValue(forKey: number) != nil, state.run?.callers.isEmpty == true,
                !outlivesCallers
            else { return nil }
            defer { state.run = nil }
            return state.run?.task
        }
        abandoned?.cancel()
    }
}
