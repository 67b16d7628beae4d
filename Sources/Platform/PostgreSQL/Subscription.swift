public import AlmanacPOSIX
internal import Synchronization

/// A thread that LISTENs on channels for as long as it is wanted, through every loss of its connection.
public final class Subscription: Sendable {
    /// An update to the handler of a subscription.
    public enum Update: Sendable {
        /// Listening has begun, or begun again: anything may have been missed before.
        case connected
        case notified([Notification])
        /// Nothing was received for an interval; a notification may have been lost.
        case quiet
        /// The connection was lost, or could not be made; it is tried again.
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
    ///   - interval: the longest time without a call of the handler while connected.
    ///   - handler: called on the subscription's thread, one call at a time.
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

    deinit {
        stopping.set()
    }

    /// How many notifications came so far, and how often the connection was lost or could not be made.
    public var counts: (received: Int, disconnections: Int) {
        (tally.received.load(ordering: .relaxed), tally.disconnections.load(ordering: .relaxed))
    }

    /// Stops listening and waits for the handler to be done.
    public func stop() {
        stopping.set()
        thread.wait(upTo: .seconds(5))
    }
}
