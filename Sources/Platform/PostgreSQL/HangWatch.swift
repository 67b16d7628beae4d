internal import AlmanacPOSIX
internal import Synchronization

/// A watch that ends connections to a server that hangs while threads wait for it.
///
/// A statement may take long, for example while it waits for a lock, so the watch first probes the server. Nothing else
/// would detect for minutes that the server is stopped, frozen or cut off.
struct HangWatch: Sendable {
    struct WatchedConnection: Sendable {
        weak let connection: Connection?
        let probe: ServerProbe
    }

    /// The age of a loan after which the server is probed.
    static let probeAfter = Duration.milliseconds(1500)
    /// The time between two checks.
    static let interval = Duration.milliseconds(250)

    /// - Returns: True if connections were ended.
    static func check(_ subjects: [WatchedConnection]) -> Bool {
        let limit = MonotonicClock.nanoseconds - Int(probeAfter / .nanoseconds(1))
        let waiting = subjects.filter { subject in
            let lentAt = subject.connection?.lentAt.load(ordering: .relaxed) ?? 0
            return lentAt != 0 && lentAt < limit
        }
        guard let first = waiting.first, !first.probe.isAnswered else { return false }
        for subject in waiting { subject.connection?.interrupt() }
        return true
    }
}
