/// How long to wait before the next attempt: longer after each failure, and at random, so that devices do not come back
/// all at once.
struct Backoff {
    private var failures = 0

    private static let shortest = 0.5
    private static let longest = 300.0

    mutating func succeed() {
        failures = 0
    }

    /// - Parameters:
    ///   - chance: from 0 to 1.
    ///   - asked: the least that the server asked for, in seconds.
    mutating func wait(_ chance: Double, asked: Int? = nil) -> Duration {
        let most = min(Self.longest, Self.shortest * Double(1 << min(failures, 20)))
        failures += 1
        // Never at once: the upper half of the time.
        let seconds = most * (0.5 + 0.5 * min(max(chance, 0), 1))
        return .milliseconds(Int((seconds + Double(asked ?? 0)) * 1000))
    }
}
