/// The times at which reads of a cache began: the one whose result is cached, and the last that failed.
struct ReadTimes {
    private var readAt: ContinuousClock.Instant?
    private var failedAt: ContinuousClock.Instant?

    /// True if a read failed after the cached one began, so that a change may be missing.
    var isStale: Bool {
        guard let failedAt else { return false }
        return readAt.map { $0 < failedAt } ?? true
    }

    /// Records a read. Returns false if a read that began later is cached, which may have more changes.
    mutating func succeeded(_ start: ContinuousClock.Instant) -> Bool {
        if let readAt, readAt > start { return false }
        readAt = start
        return true
    }

    mutating func failed(_ start: ContinuousClock.Instant) { failedAt = max(failedAt ?? start, start) }
}
