/// The reason why a maintenance task failed, in one line.
public struct MaintenanceFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
