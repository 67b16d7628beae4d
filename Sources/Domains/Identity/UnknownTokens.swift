/// When the tokens are read anew for callers with unknown ones: a value that knows neither the clock nor the database.
///
/// A token that was just made is found only by a reading that begins after it came. So each caller waits for such a
/// reading, unless there are too many of them: a flood must become neither a flood of readings nor of waiting threads.
struct UnknownTokens {
    /// From the beginning of one reading to that of the next, at least.
    static let pause = Duration.milliseconds(200)
    /// The most callers that wait at the same time.
    static let mostWaiting = 8
    /// As many tokens of nobody's between two readings are a flood: until it is over nobody waits.
    static let flood = 4

    /// When the last reading began.
    private var begunAt: ContinuousClock.Instant?
    /// How many readings have begun, and the newest that has ended.
    private var begun = 0
    private var ended = 0
    /// Somebody waits for the end of the pause, or reads.
    private var isTaken = false
    private var waiting = 0
    /// The callers that were refused since the last reading began.
    private var refused = 0
    private var wasFlooded = false

    /// What a caller with an unknown token does.
    enum Turn: Equatable {
        /// Waits so long, and reads.
        case read(after: Duration)
        /// Waits until a reading of this number, or a later one, has ended.
        case join(Int)
        /// Waits no longer: the tokens have been read, or too many wait already.
        case over
    }

    /// A caller comes; unless it has no turn, it calls `leave` at its end.
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

    /// What a caller does next that waits for the reading of a number.
    mutating func turn(for number: Int, at now: ContinuousClock.Instant) -> Turn {
        if ended >= number { return .over }
        if isTaken { return .join(number) }
        isTaken = true
        return .read(after: max(.zero, begunAt.map { Self.pause - (now - $0) } ?? .zero))
    }

    /// Whether a reading of a number has ended, or nobody is about to read.
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

    /// - Parameter isKnown: whether the caller's token was found.
    mutating func leave(isKnown: Bool) {
        waiting -= 1
        if !isKnown { refused += 1 }
    }
}
