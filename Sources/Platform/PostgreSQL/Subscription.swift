public import AlmanacPOSIX
internal import Synchronization

/// A thread that listens on channels until stopped, and reconnects whenever its connection is lost.
public final class Subscription: Sendable {
    /// An update for the handler of a subscription.
    public enum Update: Sendable {
        /// Listening has started or resumed; earlier notifications may have been missed.
        case connected
        case notified([Notification])
        /// Nothing was received for an interval; a notification may have been lost.
        case quiet
        /// The connection was lost or could not be made; the thread retries.
        case disconnected(PostgresFailure)
    }

    private let stopping: Event
    private let thread: Thread
    private let tally: Tally

    private final class Tally: Sendable {
        let received = Atomic(0)
        let disconnections = Atomic(0)
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - interval: The longest time between calls of the handler while connected.
    ///   - handler: A closure called on the subscription's thread, one call at a time.
    public init(
        _ settings: ConnectionSettings, channels: [String], interval: Duration, threadName: String,
        handler: @escaping @Sendable (Update) -> Void
    ) throws(SystemFailure) {
        let stopping = try Event()
        self.stopping = stopping
        let tally = Tally()
        self.tally = tally
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
                        tally.received.add(notifications.count, ordering: .relaxed)
                        handler(notifications.isEmpty ? .quiet : .notified(notifications))
                    }
                } catch let failure as PostgresFailure {
                    tally.disconnections.add(1, ordering: .relaxed)
                    handler(.disconnected(failure))
                    _ = stopping.wait(upTo: pause)
                    pause = min(pause * 2, .seconds(1))
                } catch {
                    preconditionFailure("libpq fails in one way only: \(error)")
                }
            }
        }
    }

    deinit { stopping.set() }

    /// The number of received notifications, and of lost or failed connections.
    public var counts: (received: Int, disconnections: Int) {
        (tally.received.load(ordering: .relaxed), tally.disconnections.load(ordering: .relaxed))
    }

    /// Stops listening and waits for the handler to return, for at most 5 s.
    public func stop() {
        stopping.set()
        thread.wait(upTo: .seconds(5))
    }
}
