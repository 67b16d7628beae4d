public import Foundation

/// What a client is told about its server and itself.
public struct ConfigOptions: Sendable {
    /// The address of the environment: `https://config.example.com/production`.
    public var environment: URL
    /// The major that the app was built against, `"2"`, or the least version it needs, `"2.3"`; nil sees every change.
    public var version: String?
    /// What holds until the server has answered, and for keys that the server doesn't have.
    public var defaults: ConfigDefaults
    /// Where to keep what was fetched; nil keeps it in memory only.
    public var cache: URL?
    /// The bearer token, asked for before every request; nil where the config is public.
    public var token: @Sendable () async throws -> String? = { nil }
    /// How long ``ConfigClient/fetch(force:)`` is content with what was fetched last. Zero in development.
    public var minimumInterval: Duration = .seconds(3600)
    /// How old the last answer may be before ``ConfigStatus/isStale``.
    public var staleAfter: Duration = .seconds(7200)
    /// How long one request may take.
    public var timeout: Duration = .seconds(30)
    /// The most bytes of one answer.
    public var byteLimit = 64 << 20
    /// How long a stream may be mute; the server sends something every 20 seconds.
    public var streamSilence: Duration = .seconds(65)
    /// Is told what developers should know: values of the wrong type, a cache that can't be used.
    public var report: @Sendable (ConfigReport) -> Void = { _ in }
    public var transport: any ConfigTransport
    public var clock: any ConfigClock = SystemClock()
    /// A number from 0 to below 1, to spread the fetches of many devices.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    public init(
        environment: URL, version: String? = nil, defaults: ConfigDefaults = [:], cache: URL? = nil,
        transport: any ConfigTransport = ConfigHTTPTransport()
    ) {
        self.environment = environment
        self.version = version
        self.defaults = defaults
        self.cache = cache
        self.transport = transport
    }
}
