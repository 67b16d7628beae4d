internal import Synchronization

/// Tells how durations are spread, by counting them between bounds.
public final class Histogram: Instrument {
    /// The upper bounds in nanoseconds.
    private let bounds: [Int]
    /// How many durations are above one bound and not above the next; the one after the last bound has the longest.
    private let counts: InlineArray<16, Atomic<Int>>
    private let nanoseconds = Atomic(0)

    public init(_ metric: Metric) {
        guard case .histogram(let bounds) = metric.kind else { preconditionFailure("\(metric.name) is no histogram") }
        precondition(bounds.count < 16, "\(metric.name) has more than 15 bounds")
        self.bounds = bounds.map { Int(($0 * 1e9).rounded()) }
        counts = InlineArray { _ in Atomic(0) }
    }

    /// Counts one duration.
    public func observe(nanoseconds duration: Int) {
        var place = 0
        while place < bounds.count, duration > bounds[place] { place += 1 }
        counts[place].add(1, ordering: .relaxed)
        nanoseconds.add(duration, ordering: .relaxed)
    }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        let counts = (0...bounds.count).map { self.counts[$0].load(ordering: .relaxed) }
        exposition.add(metric, labels, counts: counts, sum: Double(nanoseconds.load(ordering: .relaxed)) / 1e9)
    }
}
