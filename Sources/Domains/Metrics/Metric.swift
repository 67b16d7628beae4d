/// The name and the meaning of a measured number: a family of Prometheus' data model. Each module declares those that
/// it counts, beside the code that does, and lists them for the tests that hold the dashboard and the alerts to them.
public struct Metric: Sendable {
    public let name: String
    public let kind: Kind
    /// Stands beside the name, for operators.
    public let help: String
    /// The names of the labels, in the order in which their values are given.
    public let labels: [String]

    public enum Kind: Equatable, Sendable {
        /// A number that only grows, from 0 at the start of the process.
        case counter
        /// A number as it is now.
        case gauge
        /// How many of the things measured lie below each of the bounds, which grow, in seconds.
        case histogram(bounds: [Double])
    }

    public init(_ kind: Kind, _ name: String, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }
}

/// A part of the program that has something to show on the page of metrics.
public protocol MetricSource: Sendable {
    /// Adds the numbers as they are now; called on the thread that answers the request for them.
    func write(to exposition: inout Exposition)
}
