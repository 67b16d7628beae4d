internal import AlmanacTargeting

/// When each stream about flags is told that they changed: one after the other, since clients of OFREP evaluate all
/// flags again at once when they are told.
struct FlagTurns {
    private var timers: StreamTimers
    private let random: @Sendable (Int) -> Int
    private var schedule = FlagSchedule()
    /// When the flags' answers change next without a release, in seconds since 1970.
    private var nextChange: Int64?
    private var lastChange: Int64 = 0
    /// When the flags last changed, by a release or by time alone, in seconds since 1970; nil if that isn't known.
    private(set) var changedAt: Int64?

    /// How exactly turns are kept.
    private static let resolution = Duration.milliseconds(10)
    /// How old a schedule may be that has just been read, in seconds.
    private static let readingTime: Int64 = 3

    /// - Parameter random: gives a number from 0 to below its argument.
    init(start: ContinuousClock.Instant, random: @escaping @Sendable (Int) -> Int) {
        timers = StreamTimers(start: start, resolution: Self.resolution)
        self.random = random
    }

    /// When the next turn comes.
    var next: ContinuousClock.Instant? { timers.next }

    /// Whether a time is to come at which the flags' answers change.
    var knowsTimes: Bool { nextChange != nil }

    /// Gives a stream a turn of its own within a time, in milliseconds.
    mutating func add(_ number: Int, within spread: Int, from now: ContinuousClock.Instant) {
        timers.add(number, at: now + .milliseconds(random(spread)))
    }

    /// Takes out the streams whose turn has come.
    mutating func due(at now: ContinuousClock.Instant) -> [Int] { timers.due(at: now) }

    /// Notes that a release changed flags.
    mutating func note(changeAt seconds: Int64) { changedAt = max(changedAt ?? seconds, seconds) }

    /// Takes what flags say about the time, as it was read.
    mutating func set(_ schedule: FlagSchedule, at seconds: Int64) {
        self.schedule = schedule
        nextChange = schedule.next(after: max(lastChange, seconds - Self.readingTime))
    }

    /// Whether the flags' answers may have changed by time alone since this was asked last.
    mutating func takeChange(at seconds: Int64) -> Bool {
        guard let next = nextChange, next <= seconds else { return false }
        lastChange = seconds
        changedAt = seconds
        nextChange = schedule.next(after: seconds)
        return true
    }
}
