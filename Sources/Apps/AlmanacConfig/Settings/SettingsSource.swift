/// Gives defaults that take the place of the registered ones.
public protocol SettingsSource: Sendable {
    /// Tells the source from others: what it gave last is replaced by what it gives next.
    var name: String { get }
    /// All values of the source; a key that it no longer has falls back to what is below.
    ///
    /// - Throws: ``StaleSettings`` when it has values, though not the newest.
    func values() async throws -> [String: ConfigJSON]
}

/// A source whose values are on the device, so that they are there from the first moment.
///
/// `Settings.bundle`, bundled ``ConfigDefaults``, the visible ``ConfigValues`` of a client and
/// ``LaunchArgumentsSource`` are such sources.
public protocol ImmediateSettingsSource: SettingsSource {
    /// All values of the source.
    func values() throws -> [String: ConfigJSON]
}

extension ConfigDefaults: ImmediateSettingsSource {
    /// "defaults"
    public var name: String { "defaults" }

    /// The values that were given.
    public func values() -> [String: ConfigJSON] { all }
}

extension ConfigValues: ImmediateSettingsSource {
    /// That of ``ConfigClientSource``, which may take their place later.
    public var name: String { ConfigClientSource.name }

    /// The values of all keys.
    public func values() -> [String: ConfigJSON] { keys.reduce(into: [:]) { $0[$1] = self[$1] } }
}

/// Values of a source that are not the newest: they count, and the result says why there are no newer ones.
public struct StaleSettings: Error {
    /// The last that the source had.
    public let values: [String: ConfigJSON]
    /// Why there are no newer ones.
    public let cause: any Error

    /// Hands over the values that there are.
    public init(values: [String: ConfigJSON], cause: any Error) {
        self.values = values
        self.cause = cause
    }
}

/// The outcome of asking one source.
public struct SettingsUpdateResult: Sendable {
    /// The name of the source.
    public let source: String
    /// The keys it gave, those that no setting is registered for included; or why it gave none.
    public let outcome: Result<Set<String>, any Error>
}
