/// When something is to be done about which stream, to the second.
struct StreamTimers {
    private let start: ContinuousClock.Instant
    private var entries: [Int64: [Int]] = [:]
    private var done: Int64 = -1

    init(start: ContinuousClock.Instant) {
        self.start = start
    }

    /// Never earlier than the time given, and up to a second later.
    mutating func add(_ number: Int, at time: ContinuousClock.Instant) {
        entries[max(done + 1, second(of: time) + 1), default: []].append(number)
    }

    /// Takes out what is due.
    mutating func due(at now: ContinuousClock.Instant) -> [Int] {
        let newest = second(of: now)
        guard newest > done else { return [] }
        var due: [Int] = []
        // After a long sleep of the machine there are fewer entries than seconds.
        for second in newest - done > 100 ? Array(entries.keys.filter { $0 <= newest }) : Array(done + 1...newest) {
            due += entries.removeValue(forKey: second) ?? []
        }
        done = newest
        return due
    }

    private func second(of time: ContinuousClock.Instant) -> Int64 { (time - start).components.seconds }
}
