/// Something that measures, without a lock, and can be read while it does.
public protocol Instrument: AnyObject, Sendable {
    init(_ metric: Metric)

    /// Adds what was measured to a page.
    func write(to exposition: inout Exposition, _ metric: Metric, _ labels: [String])
}
