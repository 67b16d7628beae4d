/// Why an issuer's keys could not be had, in one line for the log.
public struct ProviderFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
