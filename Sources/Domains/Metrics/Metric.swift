/// The definition of a measured number: a metric family in Prometheus' data model. Each module declares its metrics
/// beside the code that counts, and lists them for the tests that compare them with the dashboard and the alerts.
public struct Metric: Sendable {
    public let name: String
    public let kind: Kind
    /// The description for operators, shown beside the name.
    public let help: String
    /// The names of the labels, in the order of their values.
    public let labels: [String]

    public enum Kind: Equatable, Sendable {
        /// A number that only grows, from 0 at the start of the process.
        case counter
        /// A number that rises and falls.
        case gauge
        /// The distribution of durations, counted below ascending bounds in seconds.
        case histogram(bounds: [Double])
    }

    public init(_ kind: Kind, _ name: String, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }
}

/// A part of the program that exports metrics.
public protocol MetricSource: Sendable {
    /// Adds the current numbers; called on the thread that serves the request for metrics.
    func write(to exposition: inout Exposition)
}
