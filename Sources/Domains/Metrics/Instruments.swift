internal import Synchronization

/// A lock-free measurement that can be read at any time.
public protocol Instrument: AnyObject, Sendable {
    init(_ metric: Metric)

    /// Adds the measurement to a page.
    func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String])
}

/// Counts events.
public final class Counter: Instrument {
    private let count = Atomic(0)

    public init(_ metric: Metric) { precondition(metric.kind == .counter, "\(metric.name) is no counter") }

    public func add(_ number: Int = 1) { count.add(number, ordering: .relaxed) }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        exposition.add(metric, labels, Double(count.load(ordering: .relaxed)))
    }
}

/// Tracks a number that rises and falls.
public final class Gauge: Instrument {
    private let number = Atomic(0)

    public init(_ metric: Metric) { precondition(metric.kind == .gauge, "\(metric.name) is no gauge") }

    /// - Parameter change: may be negative.
    public func add(_ change: Int) { number.add(change, ordering: .relaxed) }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        exposition.add(metric, labels, Double(number.load(ordering: .relaxed)))
    }
}

/// Counts durations in buckets, to show their distribution.
public final class Histogram: Instrument {
    /// The upper bounds in nanoseconds.
    private let bounds: [Int]
    /// The number of durations in each bucket: above the previous bound, up to its own. The last has no bound.
    private let counts: InlineArray<16, Atomic<Int>>
    private let nanoseconds = Atomic(0)

    public init(_ metric: Metric) {
        guard case .histogram(let bounds) = metric.kind else { preconditionFailure("\(metric.name) is no histogram") }
        precondition(bounds.count < 16, "\(metric.name) has more than 15 bounds")
        self.bounds = bounds.map { Int(($0 * 1e9).rounded()) }
        counts = InlineArray { _ in Atomic(0) }
    }

    public func observe(nanoseconds duration: Int) {
        var bucket = 0
        while bucket < bounds.count, duration > bounds[bucket] { bucket += 1 }
        counts[bucket].add(1, ordering: .relaxed)
        nanoseconds.add(duration, ordering: .relaxed)
    }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        let counts = (0...bounds.count).map { self.counts[$0].load(ordering: .relaxed) }
        exposition.add(metric, labels, counts: counts, sum: Double(nanoseconds.load(ordering: .relaxed)) / 1e9)
    }
}

/// A metric with its instruments, one or more for each set of label values.
///
/// Values of instruments with the same labels are added. Therefore a thread that measures often has its own instrument,
/// which no other thread writes to; a thread that measures rarely may share one.
public final class Family<Member: Instrument>: MetricSource {
    public let metric: Metric
    /// Instruments are never removed, because a counter must not fall.
    private let members = Mutex<[(labels: [String], instrument: Member)]>([])

    public init(_ metric: Metric) { self.metric = metric }

    /// Creates an instrument for the caller to hold.
    ///
    /// - Parameter labels: the label values in the metric's order. Every set of values is stored for the life of the
    ///   process, so values must not be copied from a request.
    public func member(_ labels: String...) -> Member {
        precondition(labels.count == metric.labels.count, "\(metric.name) has the labels \(metric.labels)")
        let instrument = Member(metric)
        members.withLock { $0.append((labels, instrument)) }
        return instrument
    }

    public func write(to exposition: inout Exposition) {
        for member in members.withLock({ $0 }) { member.instrument.write(to: &exposition, metric, member.labels) }
    }
}
