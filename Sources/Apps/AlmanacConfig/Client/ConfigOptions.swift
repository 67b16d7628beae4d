// The transport, clock, randomness and tokens that options take belong to this module's interface: an app needs one
// import for them, and the other files of the module need none.
@_exported public import AlmanacClientRuntime
public import Foundation

/// Which config a client keeps, and what it works with.
public struct ConfigOptions: Sendable {
    /// The address of the environment: `https://config.example.com/production`.
    public var environment: URL
    /// The major that the app was built against, `"2"`, or the least version it needs, `"2.3"`; nil sees every change.
    public var version: String?
    /// The values until the server has answered, and for keys that the server doesn't have.
    public var defaults: ConfigDefaults
    /// The file to keep in what was fetched; nil keeps it in memory only.
    public var cache: URL?
    /// Where the bearer tokens of the requests come from; nil where the config is public.
    public var tokens: (any TokenProvider)?
    /// How long ``ConfigClient/fetch(force:)`` is content with what was fetched last. Zero in development.
    public var minimumInterval: Duration = .seconds(3600)
    /// How old the last response may be before ``ConfigStatus/isStale``.
    public var staleAfter: Duration = .seconds(7200)
    /// How long one request may take.
    public var timeout: Duration = .seconds(30)
    /// The most bytes of one response.
    public var byteLimit = 64 << 20
    /// How long a stream may be silent; the server sends something every 20 seconds.
    public var streamSilence: Duration = .seconds(65)
    /// Receives what developers should know: values of the wrong type, a cache that can't be used.
    public var report: @Sendable (ConfigReport) -> Void = { _ in }
    /// Sends the requests.
    public var transport: any ClientTransport
    /// Tells the time.
    public var clock: any ClientClock = SystemClientClock()
    /// Spreads the fetches of many devices.
    public var random: any RandomSource = SystemRandomSource()

    /// Names an environment; the rest has values that suit a release build.
    public init(
        environment: URL, version: String? = nil, defaults: ConfigDefaults = [:], cache: URL? = nil,
        transport: any ClientTransport = AlmanacHTTPTransport()
    ) {
        self.environment = environment
        self.version = version
        self.defaults = defaults
        self.cache = cache
        self.transport = transport
    }
}
