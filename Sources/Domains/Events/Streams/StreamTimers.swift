/// When something is to be done about which stream.
struct StreamTimers {
    private let start: ContinuousClock.Instant
    /// Times closer together than this are one.
    private let resolution: Duration
    private var entries: [Int64: [Int]] = [:]
    private var done: Int64 = -1

    init(start: ContinuousClock.Instant, resolution: Duration = .seconds(1)) {
        self.start = start
        self.resolution = resolution
    }

    /// When the next is due; nil if none is.
    var next: ContinuousClock.Instant? { entries.keys.min().map { start + resolution * Int($0) } }

    /// Never earlier than the time given, and up to the resolution later.
    mutating func add(_ number: Int, at time: ContinuousClock.Instant) {
        entries[max(done + 1, tick(of: time) + 1), default: []].append(number)
    }

    /// Takes out what is due.
    mutating func due(at now: ContinuousClock.Instant) -> [Int] {
        let newest = tick(of: now)
        guard newest > done else { return [] }
        var due: [Int] = []
        // After a long time there are fewer entries than ticks.
        for tick in newest - done > 100 ? Array(entries.keys.filter { $0 <= newest }) : Array(done + 1...newest) {
            due += entries.removeValue(forKey: tick) ?? []
        }
        done = newest
        return due
    }

    private func tick(of time: ContinuousClock.Instant) -> Int64 { Int64((time - start) / resolution) }
}
