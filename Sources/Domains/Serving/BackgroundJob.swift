public import AlmanacPOSIX

/// A background job that runs in small steps on its own thread, with pauses, so that nobody has to wait for it.
public final class BackgroundJob: Sendable {
    private let stopping: Event

    /// - Parameters:
    ///   - state: Passed from step to step.
    ///   - pause: The time between two steps while there is more to do.
    ///   - idleInterval: The time between two checks for new work.
    ///   - step: Does a little work, and returns true if there is more.
    ///   - report: Receives the error of a failed step; the job continues after this interval.
    public init<State: Sendable>(
        from state: State, threadName: String, pause: Duration, idleInterval: Duration,
        step: @escaping @Sendable (inout State) throws -> Bool, report: @escaping @Sendable (any Error) -> Void
    ) throws(SystemFailure) {
        let stopping = try Event()
        self.stopping = stopping
        _ = Thread(name: threadName) {
            var (state, wait) = (state, pause)
            while !stopping.wait(upTo: wait) {
                do {
                    wait = try step(&state) ? pause : idleInterval
                } catch {
                    report(error)
                    wait = idleInterval
                }
            }
        }
    }

    /// Prevents further steps.
    public func stop() { stopping.set() }
}
