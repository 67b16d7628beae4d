/// A part of the program that has something to show on the page of metrics.
public protocol MetricSource: Sendable {
    /// Adds the numbers as they are now; called on the thread that answers the request for them.
    func write(to exposition: inout Exposition)
}
