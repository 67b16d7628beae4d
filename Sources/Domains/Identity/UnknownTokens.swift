/// The schedule of token reads for callers with unknown tokens, as a value without clock or database.
///
/// Only a read that begins after a token arrived is sure to find it. Therefore each caller waits for such a read,
/// unless too many wait already: a flood of unknown tokens must cause neither a flood of reads nor of waiting threads.
struct UnknownTokens {
    /// The minimum time from the start of one read to the start of the next.
    static let pause = Duration.milliseconds(200)
    /// The limit on callers that wait at the same time.
    static let mostWaiting = 8
    /// The number of unknown tokens between two reads that counts as a flood; no caller waits until the flood ends.
    static let flood = 4

    /// The time when the last read began.
    private var begunAt: ContinuousClock.Instant?
    /// The number of reads that have begun, and the number of the newest that has ended.
    private var begun = 0
    private var ended = 0
    /// True if a caller waits to read, or is reading.
    private var isTaken = false
    private var waiting = 0
    /// The callers refused since the last read began.
    private var refused = 0
    private var wasFlooded = false

    /// The next step of a caller with an unknown token.
    enum Turn: Equatable {
        /// Waits for the duration, then reads.
        case read(after: Duration)
        /// Waits until the read with this number, or a later one, has ended.
        case join(Int)
        /// Stops waiting, because the tokens have been read or too many callers wait.
        case over
    }

    /// Registers a caller. Unless the turn is `over`, the caller must call `leave` at its end.
    mutating func enter(at now: ContinuousClock.Instant) -> Turn {
        let rest = begunAt.map { Self.pause - (now - $0) } ?? .zero
        let waits = isTaken || rest > .zero
        guard !waits || waiting < Self.mostWaiting && !wasFlooded && refused < Self.flood else {
            refused += 1
            return .over
        }
        waiting += 1
        return turn(for: begun + 1, at: now)
    }

    /// Returns the next step of a caller that waits for the read with a number.
    mutating func turn(for number: Int, at now: ContinuousClock.Instant) -> Turn {
        if ended >= number { return .over }
        if isTaken { return .join(number) }
        isTaken = true
        return .read(after: max(.zero, begunAt.map { Self.pause - (now - $0) } ?? .zero))
    }

    /// Returns true if the read with a number has ended, or if no caller is reading.
    func isSettled(_ number: Int) -> Bool { ended >= number || !isTaken }

    mutating func begin(at now: ContinuousClock.Instant) {
        begun += 1
        begunAt = now
        wasFlooded = refused >= Self.flood
        refused = 0
    }

    mutating func end() {
        ended = begun
        isTaken = false
    }

    /// - Parameter isKnown: true if the caller's token was found.
    mutating func leave(isKnown: Bool) {
        waiting -= 1
        if !isKnown { refused += 1 }
    }
}
