/// The schedule of token reads for callers with unknown tokens, as a value without clock or database.
///
/// Only a read that begins after a token arrived is sure to find it. Therefore each caller waits for such a read,
/// unless too many wait already: a flood of unknown tokens must cause neither a flood of reads nor of waiting threads.
struct TokenReadSchedule {
    /// The minimum time from the start of one read to the start of the next.
    static let minReadInterval = Duration.milliseconds(200)
    /// The limit on callers that wait at the same time.
    static let maxWaiting = 8
    /// The number of unknown tokens between two reads that counts as a flood; no caller waits until the flood ends.
    static let floodThreshold = 4

    /// The time when the last read began.
    private var begunAt: ContinuousClock.Instant?
    /// The number of reads that have begun, and the number of the newest that has ended.
    private var begun = 0
    private var ended = 0
    /// True if a caller waits to read, or is reading.
    private var hasReader = false
    private var waiting = 0
    /// The callers refused since the last read began.
    private var refused = 0
    private var wasFlooded = false

    /// The next step of a caller with an unknown token.
    enum NextStep: Equatable {
        /// Waits for the duration, then reads.
        case read(after: Duration)
        /// Waits until the read with this number, or a later one, has ended.
        case join(Int)
        /// Stops waiting, because the tokens have been read or too many callers wait.
        case stop
    }

    /// Registers a caller. Unless the step is `stop`, the caller must call `leave` at its end.
    mutating func enter(at now: ContinuousClock.Instant) -> NextStep {
        let rest = begunAt.map { Self.minReadInterval - (now - $0) } ?? .zero
        let waits = hasReader || rest > .zero
        guard !waits || waiting < Self.maxWaiting && !wasFlooded && refused < Self.floodThreshold else {
            refused += 1
            return .stop
        }
        waiting += 1
        return nextStep(for: begun + 1, at: now)
    }

    /// Returns the next step of a caller that waits for the read with a number.
    mutating func nextStep(for number: Int, at now: ContinuousClock.Instant) -> NextStep {
        if ended >= number { return .stop }
        if hasReader { return .join(number) }
        hasReader = true
        return .read(after: max(.zero, begunAt.map { Self.minReadInterval - (now - $0) } ?? .zero))
    }

    /// Returns true if the read with a number has ended, or if no caller is reading.
    func isSettled(_ number: Int) -> Bool { ended >= number || !hasReader }

    mutating func begin(at now: ContinuousClock.Instant) {
        begun += 1
        begunAt = now
        wasFlooded = refused >= Self.floodThreshold
        refused = 0
    }

    mutating func end() {
        ended = begun
        hasReader = false
    }

    /// - Parameter isKnown: true if the caller's token was found.
    mutating func leave(isKnown: Bool) {
        waiting -= 1
        if !isKnown { refused += 1 }
    }
}
