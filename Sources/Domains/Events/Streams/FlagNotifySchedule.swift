internal import AlmanacTargeting

/// A schedule of notifications to streams about flags, to spread the evaluations that OFREP clients then request.
struct FlagNotifySchedule {
    private var timers: StreamTimers
    private let random: @Sendable (Int) -> Int
    private var schedule = FlagSchedule()
    /// The next time at which evaluations change without a release, in seconds since 1970.
    private var nextChange: Int64?
    private var lastChange: Int64 = 0
    /// The time of the last change of flags, by a release or by time alone, in seconds since 1970; nil if unknown.
    private(set) var changedAt: Int64?

    /// The time resolution of notifications.
    private static let resolution = Duration.milliseconds(10)
    /// The maximum age of a schedule that was just read, in seconds.
    private static let maxScheduleAgeSeconds: Int64 = 3

    /// - Parameter random: Returns a number from 0 to below its argument.
    init(start: ContinuousClock.Instant, random: @escaping @Sendable (Int) -> Int) {
        timers = StreamTimers(start: start, resolution: Self.resolution)
        self.random = random
    }

    /// The time of the next notification.
    var next: ContinuousClock.Instant? { timers.next }

    /// True if a future time is known at which evaluations change.
    var hasScheduledChange: Bool { nextChange != nil }

    /// Schedules a stream's notification at a random time within a spread, in milliseconds.
    mutating func add(_ number: Int, within spread: Int, from now: ContinuousClock.Instant) {
        timers.add(number, at: now + .milliseconds(random(spread)))
    }

    /// Removes and returns the streams with a due notification.
    mutating func removeDue(at now: ContinuousClock.Instant) -> [Int] { timers.removeDue(at: now) }

    /// Records a release that changed flags.
    mutating func recordChange(at seconds: Int64) { changedAt = max(changedAt ?? seconds, seconds) }

    /// Sets the schedule that was read from the database.
    mutating func set(_ schedule: FlagSchedule, at seconds: Int64) {
        self.schedule = schedule
        nextChange = schedule.next(after: max(lastChange, seconds - Self.maxScheduleAgeSeconds))
    }

    /// Returns true if time alone may have changed evaluations since the last call.
    mutating func applyDueChange(at seconds: Int64) -> Bool {
        guard let next = nextChange, next <= seconds else { return false }
        lastChange = seconds
        changedAt = seconds
        nextChange = schedule.next(after: seconds)
        return true
    }
}
