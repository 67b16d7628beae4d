/// Gives defaults that take the place of the registered ones.
public protocol SettingsSource: Sendable {
    /// Tells the source from others: what it gave last is replaced by what it gives next.
    var name: String { get }
    /// All values of the source; a key that it no longer has falls back to what is below.
    ///
    /// - Throws: ``StaleSettings`` when it has values, though not the newest.
    func values() async throws -> [String: ConfigJSON]
}

/// Values of a source that are not the newest: they count, and the result says why there are no newer ones.
public struct StaleSettings: Error {
    public let values: [String: ConfigJSON]
    public let cause: any Error

    public init(values: [String: ConfigJSON], cause: any Error) {
        self.values = values
        self.cause = cause
    }
}

/// The outcome of asking one source.
public struct SettingsUpdateResult: Sendable {
    public let source: String
    /// The keys it gave, those that no setting is registered for included; or why it gave none.
    public let outcome: Result<Set<String>, any Error>
}
