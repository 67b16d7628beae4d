public import AlmanacPOSIX

/// Does some work in small steps on a thread of its own, with pauses between, so that nobody has to wait for it.
public final class SmallSteps: Sendable {
    private let stopping: Event

    /// - Parameters:
    ///   - state: is handed from step to step.
    ///   - pause: the time between two steps while there is more to do.
    ///   - rest: the time until it is looked again whether there is something to do.
    ///   - step: does a little, and says whether there is more.
    ///   - report: gets the error that a step ended with; the work goes on after a rest.
    public init<State: Sendable>(
        from state: State, threadName: String, pause: Duration, rest: Duration,
        step: @escaping @Sendable (inout State) throws -> Bool, report: @escaping @Sendable (any Error) -> Void
    ) throws(SystemFailure) {
        let stopping = try Event()
        self.stopping = stopping
        _ = Thread(name: threadName) {
            var (state, wait) = (state, pause)
            while !stopping.wait(upTo: wait) {
                do {
                    wait = try step(&state) ? pause : rest
                } catch {
                    report(error)
                    wait = rest
                }
            }
        }
    }

    /// Begins no further step.
    public func stop() { stopping.set() }
}
