// Re-exported so that an app needs a single import, and the other files of this module need none.
@_exported public import AlmanacClientRuntime
public import Foundation

/// The environment, cache and limits of a config client.
public struct ConfigOptions: Sendable {
    /// The environment's URL: `https://config.example.com/production`.
    public var environment: URL
    /// The app's major version, `"2"`, or the minimum version it needs, `"2.3"`; nil for the newest.
    public var version: String?
    /// The values before the first response, and for keys that the server does not have.
    public var defaults: ConfigDefaults
    /// The cache folder, with a file for each environment and version; nil keeps the fetched config in memory only. The
    /// folder can be that of AlmanacFlags.
    public var cache: URL?
    /// The source of bearer tokens; nil for a public config.
    public var tokens: (any TokenProvider)?
    /// The minimum time between two fetches without `force`. Use zero during development.
    public var minimumInterval: Duration = .seconds(3600)
    /// The age of the last response at which ``ConfigStatus/isStale`` becomes true.
    public var staleAfter: Duration = .seconds(7200)
    /// The time limit for one request.
    public var timeout: Duration = .seconds(30)
    /// The upper bound of a response's size, in bytes.
    public var maxResponseBytes = 64 << 20
    /// The longest time without a byte on the event stream. The server sends at least one event every 20 seconds.
    public var streamIdleTimeout: Duration = .seconds(65)
    /// Receives problems that developers should know: missing values, values of the wrong type, and an unusable cache.
    /// By default, a debug build logs them, on Apple platforms with `os.Logger`, and on Linux to standard error.
    public var report: @Sendable (ConfigReport) -> Void = { DebugLog.write($0, library: "AlmanacConfig") }
    /// The transport for requests.
    public var transport: any ClientTransport
    /// The clock for intervals and ages.
    public var clock: any ClientClock = SystemClientClock()
    /// The source of the jitter that spreads the fetches of many devices.
    public var random: any RandomSource = SystemRandomSource()

    /// Creates options with defaults for a release build.
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
