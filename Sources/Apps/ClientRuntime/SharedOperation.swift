internal import Synchronization

/// An operation that runs at most once at a time and is shared by all callers that arrive meanwhile.
///
/// The operation runs in a task of its own. A cancelled caller returns at once, and the operation continues.
package final class SharedOperation<Value: Sendable>: Sendable {
    private struct Run {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    /// Invariant: `run` is the current operation, and it has callers or outlives its callers.
    private struct State {
        var run: Run?
        /// The most recent operation, for which the next operation waits.
        var last: Task<Void, Never>?
        var number = 0
    }

    private let state = Mutex(State())
    private let outlivesCallers: Bool

    /// - Parameter outlivesCallers: true if the operation continues without callers, and a new caller may join it;
    ///   false if it is cancelled when its last caller is cancelled.
    package init(outlivesCallers: Bool = false) { self.outlivesCallers = outlivesCallers }

    /// Joins the running operation or starts one. Returns its result, or nil if the caller's task was cancelled first.
    package func value(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await value(beginning: { work })
    }

    package typealias Work = @Sendable () async -> Value

    /// Joins the running operation or starts one. Returns its result, or nil if the caller's task was cancelled first.
    ///
    /// - Parameter begin: returns the operation to start or throws an error; called only if no operation runs.
    package func value<Refusal: Error>(beginning begin: () throws(Refusal) -> Work) async throws(Refusal) -> Value? {
        let (values, caller) = AsyncStream<Value>.makeStream()
        let number = try join(caller, begin)
        // The stream ends without a value only in a cancelled task.
        for await value in values { return value }
        leave(number)
        return nil
    }

    /// Cancels the running operation. Its callers receive the result that the cancelled operation returns.
    package func cancel() { state.withLock { $0.run?.task }?.cancel() }

    private func join<Refusal: Error>(
        _ caller: AsyncStream<Value>.Continuation, _ begin: () throws(Refusal) -> Work
    ) throws(Refusal) -> Int {
        try state.withLock { state throws(Refusal) in
            state.number += 1
            let number = state.number
            if state.run == nil {
                let (work, before) = (try begin(), state.last)
                let task = Task {
                    // A cancelled operation may still be running.
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

    /// Ends an operation and returns its waiting callers.
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
