internal import Synchronization

/// Counts what happens.
public final class Counter: Instrument {
    private let count = Atomic(0)

    public init(_ metric: Metric) {
        precondition(metric.kind == .counter, "\(metric.name) is no counter")
    }

    public func add(_ number: Int = 1) {
        count.add(number, ordering: .relaxed)
    }

    public func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String]) {
        exposition.add(metric, labels, Double(count.load(ordering: .relaxed)))
    }
}
