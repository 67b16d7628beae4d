/// The timers of streams.
struct StreamTimers {
    private let start: ContinuousClock.Instant
    /// The interval within which timers fire together.
    private let resolution: Duration
    private var entries: [Int64: [Int]] = [:]
    private var lastTick: Int64 = -1

    init(start: ContinuousClock.Instant, resolution: Duration = .seconds(1)) {
        self.start = start
        self.resolution = resolution
    }

    /// The time of the next timer; nil if there is none.
    var next: ContinuousClock.Instant? { entries.keys.min().map { start + resolution * Int($0) } }

    /// Adds a timer, which fires at the time or up to the resolution later.
    mutating func add(_ number: Int, at time: ContinuousClock.Instant) {
        entries[max(lastTick + 1, tick(of: time) + 1), default: []].append(number)
    }

    /// Removes the due timers and returns their streams.
    mutating func removeDue(at now: ContinuousClock.Instant) -> [Int] {
        let newest = tick(of: now)
        guard newest > lastTick else { return [] }
        var due: [Int] = []
        // After a long pause there are fewer entries than ticks.
        for tick in newest - lastTick > 100 ? Array(entries.keys.filter { $0 <= newest }) : Array(lastTick + 1...newest)
        {
            due += entries.removeValue(forKey: tick) ?? []
        }
        lastTick = newest
        return due
    }

    private func tick(of time: ContinuousClock.Instant) -> Int64 { Int64((time - start) / resolution) }
}
