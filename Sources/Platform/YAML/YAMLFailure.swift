/// The reason for which a YAML text can't be read, with its line.
public struct YAMLFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameter line: The line, from 1.
    init(line: Int, _ message: String) { description = "\(message) (line \(line))" }
}
