public import POSIX

/// A thread that LISTENs on channels for as long as it is wanted, through every loss of its connection.
public final class Subscription: Sendable {
    /// What a subscriber is told.
    public enum Happening: Sendable {
        /// Listening has begun, or begun again: anything may have been missed before.
        case connected
        case notified([Notification])
        /// Nothing was heard for an interval; a notification may have been lost.
        case quiet
        /// The connection was lost, or could not be made; it is tried again.
        case disconnected(PostgresFailure)
    }

    private let stopping: Event
    private let thread: Thread

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - interval: the longest time without a call of the handler while connected.
    ///   - handler: called on the subscription's thread, one call at a time.
    public init(
        _ settings: ConnectionSettings, channels: [String], interval: Duration, threadName: String,
        handler: @escaping @Sendable (Happening) -> Void
    ) throws(SystemFailure) {
        let stopping = try Event()
        self.stopping = stopping
        thread = Thread(name: threadName) {
            var pause = Duration.milliseconds(100)
            while !stopping.isSet {
                do {
                    let connection = try Connection(settings)
                    for channel in channels { try connection.listen(channel) }
                    pause = .milliseconds(100)
                    handler(.connected)
                    while !stopping.isSet {
                        let notifications = try connection.notifications(upTo: interval, wakeUp: stopping.descriptor)
                        if stopping.isSet { return }
                        handler(notifications.isEmpty ? .quiet : .notified(notifications))
                    }
                } catch let failure as PostgresFailure {
                    handler(.disconnected(failure))
                    _ = stopping.wait(upTo: pause)
                    pause = min(pause * 2, .seconds(1))
                } catch {
                    preconditionFailure("libpq fails in one way only: \(error)")
                }
            }
        }
    }

    deinit {
        stopping.set()
    }

    /// Stops listening and waits for the handler to be done.
    public func stop() {
        stopping.set()
        thread.wait(upTo: .seconds(5))
    }
}
