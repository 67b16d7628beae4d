/// When the server may be asked again. Times are uptimes.
struct FetchSchedule: Sendable, Equatable {
    enum Verdict: Equatable {
        case ask
        /// The last answer is young enough.
        case recent
        case wait(Duration)
    }

    /// The first wait after a failure, doubled with each further one.
    static let firstDelay: Duration = .seconds(2)
    static let longestDelay: Duration = .seconds(900)
    /// The server may ask for a longer wait than the client would make, but not for ever.
    static let longestRetryAfter: Duration = .seconds(86_400)

    private(set) var lastAnswer: Duration?
    private(set) var failures = 0
    private var notBefore: Duration?

    func verdict(at now: Duration, minimumInterval: Duration, force: Bool) -> Verdict {
        if let notBefore, now < notBefore { return .wait(notBefore - now) }
        if !force, let lastAnswer, now - lastAnswer < minimumInterval { return .recent }
        return .ask
    }

    /// - Parameter age: how long ago the answer came, for one from an earlier run.
    mutating func answered(at now: Duration, age: Duration = .zero) {
        lastAnswer = now - age
        failures = 0
        notBefore = nil
    }

    /// - Parameter random: from 0 to below 1. Half of the wait is random, so that devices that failed together part.
    mutating func failed(at now: Duration, retryAfter: Duration?, random: Double) {
        let delay = Self.delay(failures: failures)
        failures += 1
        let wait = delay * (0.5 + random / 2)
        if let retryAfter {
            notBefore = now + max(min(retryAfter, Self.longestRetryAfter) + delay * (random / 2), wait)
        } else {
            notBefore = now + wait
        }
    }

    /// - Parameter failures: how many there were before.
    private static func delay(failures: Int) -> Duration {
        min(firstDelay * (1 << min(failures, 20)), longestDelay)
    }
}
