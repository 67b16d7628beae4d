public import AlmanacEnvironments
public import AlmanacMetrics
internal import AlmanacPostgreSQL

/// One environment at work in a server program, from the reading of its settings until it is let go.
///
/// What it shows on the page of metrics has the environment's name as a label.
public protocol EnvironmentService: AnyObject, MetricSource {
    var settings: EnvironmentSettings { get }

    /// The revision of the config that is known here, and whether it may be out of date.
    var state: (revision: Int64, isStale: Bool) { get }

    /// Why requests fail though the database answers, and what to do about it; nil when they needn't.
    var trouble: String? { get }

    /// Lets go of the environment; requests in flight finish.
    func close()
}

/// Why an environment could not be started.
public struct StartFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ settings: EnvironmentSettings, _ cause: any Error) {
        description = "environment '\(settings.name)', \(settings.database.place): \(cause)"
    }
}
