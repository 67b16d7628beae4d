public import AlmanacPOSIX

/// A background job that runs in small steps on its own thread, with pauses, so that nobody has to wait for it.
public final class BackgroundJob: Sendable {
    private let stopping: Event
    private let waking: Event

    /// The longest time between two attempts while steps fail, unless the idle interval is longer.
    private static let maxBackOff = Duration.seconds(30)

    /// - Parameters:
    ///   - state: Passed from step to step.
    ///   - pause: The time between two steps while there is more to do.
    ///   - idleInterval: The time between two checks for new work.
    ///   - step: Does a little work, and returns true if there is more.
    ///   - report: Receives the error of a failed step, unless the step before failed with the same error, and nil
    ///     when a step succeeds again. The job continues after the idle interval, which doubles with each failure.
    public init<State: Sendable>(
        from state: State, threadName: String, pause: Duration, idleInterval: Duration,
        step: @escaping @Sendable (inout State) throws -> Bool, report: @escaping @Sendable ((any Error)?) -> Void
    ) throws(SystemFailure) {
        let (stopping, waking) = (try Event(), try Event())
        (self.stopping, self.waking) = (stopping, waking)
        _ = Thread(name: threadName) {
            var (state, wait, backOff) = (state, pause, idleInterval)
            var failure: String?
            while true {
                _ = Poll.readable([stopping.descriptor, waking.descriptor], upTo: wait)
                if stopping.isSet { return }
                waking.clear()
                do {
                    wait = try step(&state) ? pause : idleInterval
                    if failure != nil { report(nil) }
                    (failure, backOff) = (nil, idleInterval)
                } catch {
                    if failure != "\(error)" { report(error) }
                    (failure, wait) = ("\(error)", backOff)
                    backOff = max(idleInterval, min(backOff * 2, Self.maxBackOff))
                }
            }
        }
    }

    /// Ends the present pause.
    public func wake() { waking.set() }

    /// Prevents further steps.
    public func stop() { stopping.set() }
}
