/// A source of defaults that override the registered defaults.
public protocol SettingsSource: Sendable {
    /// The name of the source. New values replace the previous values of the source with this name.
    var name: String { get }
    /// Returns all values of the source. For a key without a value, the next lower layer applies.
    ///
    /// - Throws: ``StaleSettings`` if the source has values that may be stale.
    func values() async throws -> [String: ConfigJSON]
}

/// A source whose values are on the device and therefore available without waiting.
///
/// Examples are `Settings.bundle`, bundled ``ConfigDefaults``, the visible ``ConfigValues`` of a client and
/// ``LaunchArgumentsSource``.
public protocol ImmediateSettingsSource: SettingsSource {
    /// Returns all values of the source.
    func values() throws -> [String: ConfigJSON]
}

extension ConfigDefaults: ImmediateSettingsSource {
    /// The text "defaults".
    public var name: String { "defaults" }

    /// Returns the bundled values.
    public func values() -> [String: ConfigJSON] { all }
}

extension ConfigValues: ImmediateSettingsSource {
    /// The name of ``ConfigClientSource``, whose values later replace these values.
    public var name: String { ConfigClientSource.name }

    /// Returns the values of all keys.
    public func values() -> [String: ConfigJSON] { keys.reduce(into: [:]) { $0[$1] = self[$1] } }
}

/// The error of a source that has values but could not load the newest values. The values still apply.
public struct StaleSettings: Error {
    /// The last known values of the source.
    public let values: [String: ConfigJSON]
    /// The cause of the failed load.
    public let cause: any Error

    /// Creates the error.
    public init(values: [String: ConfigJSON], cause: any Error) {
        self.values = values
        self.cause = cause
    }
}

/// The result of reading one source.
public struct SettingsUpdateResult: Sendable {
    /// The name of the source.
    public let source: String
    /// The keys that the source supplied, including unregistered keys; or the source's error.
    public let outcome: Result<Set<String>, any Error>
}
