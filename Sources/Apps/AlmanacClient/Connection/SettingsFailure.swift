/// Why it is not known whom to ask, in one line.
public struct SettingsFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
