internal import Synchronization

/// A metric with its instruments, one or more for each set of label values.
///
/// Instruments of the same label values add up. So a thread that measures often holds some of its own, which no other
/// thread writes to, and one that seldom measures may share.
public final class Family<Member: Instrument>: MetricSource {
    public let metric: Metric
    /// Only grows: what was counted stays counted, whoever counted it.
    private let members = Mutex<[(labels: [String], instrument: Member)]>([])

    public init(_ metric: Metric) {
        self.metric = metric
    }

    /// Makes an instrument, to be kept by whoever measures with it.
    ///
    /// - Parameter labels: the label values in the metric's order. Every set of them is kept for the life of the process,
    ///   so they may not come from a request as they are.
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
