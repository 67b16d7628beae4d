/// What a measured number is called and means: a family of Prometheus' data model.
public struct Metric: Sendable {
    public let name: String
    public let kind: Kind
    /// What operators read beside the name.
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

    init(_ kind: Kind, _ name: String, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }
}
