/// Why something was not done to an installation, in one line.
public struct MaintenanceFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
