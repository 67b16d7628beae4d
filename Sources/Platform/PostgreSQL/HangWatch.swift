internal import AlmanacPOSIX
internal import Synchronization

/// Finds connections on which somebody waits although the server hangs, and ends them.
///
/// A statement may take its time, with its waiting for locks; so a server is asked for a sign of life before. That it
/// hangs (stopped, frozen, cut off) nothing else would tell for minutes.
struct HangWatch: Sendable {
    /// A connection, for as long as it is there.
    struct Subject: Sendable {
        weak let connection: Connection?
        let probe: ServerProbe
    }

    /// How long an answer may take before the server is asked.
    static let patience = Duration.milliseconds(1500)
    /// The time between two looks.
    static let interval = Duration.milliseconds(250)

    /// - Returns: whether connections were ended.
    static func look(at subjects: [Subject]) -> Bool {
        let limit = MonotonicClock.nanoseconds - Int(patience / .nanoseconds(1))
        let waiting = subjects.filter { subject in
            let lentAt = subject.connection?.lentAt.load(ordering: .relaxed) ?? 0
            return lentAt != 0 && lentAt < limit
        }
        guard let first = waiting.first, !first.probe.isAnswered else { return false }
        for subject in waiting { subject.connection?.interrupt() }
        return true
    }
}
