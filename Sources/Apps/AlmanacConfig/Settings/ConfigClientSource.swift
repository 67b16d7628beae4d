/// The values of a config client, with those that a fetch brings.
///
/// When the server can't be reached, the last values count all the same, and the result says why they are the last.
public struct ConfigClientSource: SettingsSource {
    public let name = "config"
    private let client: ConfigClient
    private let fetches: Bool

    /// - Parameter fetches: whether to ask the server first; false where ``ConfigClient/follow(activating:)`` does.
    public init(_ client: ConfigClient, fetches: Bool = true) {
        self.client = client
        self.fetches = fetches
    }

    public func values() async throws -> [String: ConfigJSON] {
        do {
            if fetches { try await client.fetchAndActivate() }
            return visible
        } catch {
            throw StaleSettings(values: visible, cause: error)
        }
    }

    private var visible: [String: ConfigJSON] {
        let values = client.values
        return values.keys.reduce(into: [:]) { $0[$1] = values[$1] }
    }
}

extension SettingsStore {
    /// Keeps the settings equal to a client's values until the task is cancelled or the client is gone.
    public func follow(_ client: ConfigClient) async {
        let source = ConfigClientSource(client, fetches: false)
        for await _ in client.updates { await update(from: [source]) }
    }
}
