/// A program that did not start or did not end in time.
public struct CommandFailure: Error, Sendable, CustomStringConvertible {
    public let description: String
}
