/// The values of a config client, with those that a fetch brings.
///
/// When the server can't be reached, the last values count all the same, and the result says why they are the last.
public struct ConfigClientSource: SettingsSource {
    static let name = "config"

    /// "config"
    public var name: String { Self.name }
    private let client: ConfigClient
    private let fetches: Bool

    /// Makes a source of a client.
    ///
    /// - Parameter fetches: whether to ask the server first; false where ``ConfigClient/follow(activating:)`` does.
    public init(_ client: ConfigClient, fetches: Bool = true) {
        self.client = client
        self.fetches = fetches
    }

    /// The visible values, after a fetch where the source fetches.
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
    /// Keeps the settings equal to a client's values until the task is cancelled or the client is gone.
    public func follow(_ client: ConfigClient) async {
        let source = ConfigClientSource(client, fetches: false)
        for await _ in client.updates { await update(from: [source]) }
    }
}
