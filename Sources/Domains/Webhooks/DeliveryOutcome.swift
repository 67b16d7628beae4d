/// The consequence of one attempt to deliver an event.
public enum DeliveryOutcome: Equatable, Sendable {
    case delivered
    /// Another attempt follows after seconds.
    case retry(seconds: Int64)
    /// The hook must be disabled.
    case disable(Reason)

    public enum Reason: String, Sendable {
        /// The receiver answered 410.
        case gone
        /// The last attempt failed.
        case exhausted
    }

    /// The seconds before each attempt (Standard Webhooks).
    static let delays: [Int64] = [
        0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600,
    ]

    /// The limit on a delay that a receiver asks for, in seconds.
    static let retryAfterLimit: Int64 = 24 * 3600

    /// Decides after an attempt.
    ///
    /// - Parameters:
    ///   - status: The status of the answer; nil without an answer.
    ///   - attempts: The number of attempts, this one included.
    ///   - retryAfter: The seconds of the answer's `Retry-After`.
    ///   - jitter: A random number from 0 to 1, which lengthens the delay by up to a fifth.
    public init(status: Int?, attempts: Int, retryAfter: Int64? = nil, jitter: Double) {
        switch status {
        case .some(200...299): self = .delivered
        case 410: self = .disable(.gone)
        default:
            guard attempts < Self.delays.count else {
                self = .disable(.exhausted)
                return
            }
            let delay = Self.delays[attempts]
            let scheduled = delay + Int64(Double(delay) * 0.2 * min(max(jitter, 0), 1))
            self = .retry(seconds: max(scheduled, min(retryAfter ?? 0, Self.retryAfterLimit)))
        }
    }
}
