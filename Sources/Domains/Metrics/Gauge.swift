internal import Synchronization

/// Follows a number that goes up and down.
public final class Gauge: Instrument {
    private let number = Atomic(0)

    public init(_ metric: Metric) {
        precondition(metric.kind == .gauge, "\(metric.name) is no gauge")
    }

    /// - Parameter change: may be negative.
    public func add(_ change: Int) {
        number.add(change, ordering: .relaxed)
    }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        exposition.add(metric, labels, Double(number.load(ordering: .relaxed)))
    }
}
