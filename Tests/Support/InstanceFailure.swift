/// The instance under test is not there or not as expected.
public struct InstanceFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) {
        self.description = description
    }
}
