/// A settings source with the values of a config client, after a fetch.
///
/// If the fetch fails, the source supplies the client's last values, and the result contains the cause.
public struct ConfigClientSource: SettingsSource {
    static let name = "config"

    /// The text "config".
    public var name: String { Self.name }
    private let client: ConfigClient
    private let fetches: Bool

    /// Creates a source from a client.
    ///
    /// - Parameter fetches: true to fetch first; false if ``ConfigClient/follow(activating:)`` fetches.
    public init(_ client: ConfigClient, fetches: Bool = true) {
        self.client = client
        self.fetches = fetches
    }

    /// Returns the visible values, after a fetch if `fetches` is true.
    public func values() async throws -> [String: ConfigJSON] {
        do {
            if fetches { try await client.fetchAndActivate() }
            return client.values.values()
        } catch {
            throw StaleSettings(values: client.values.values(), cause: error)
        }
    }
}

extension SettingsStore {
    /// Updates the settings with a client's values until the task is cancelled or the client is released.
    public func follow(_ client: ConfigClient) async {
        let source = ConfigClientSource(client, fetches: false)
        for await _ in client.updates { await update(from: [source]) }
    }
}
