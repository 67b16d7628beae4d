// Re-exported so that an app needs a single import, and the other files of this module need none.
@_exported public import AlmanacClientRuntime
public import Foundation

/// The environment, context, cache and limits of a flag client.
public struct FlagOptions: Sendable {
    /// The environment's URL: `https://config.example.com/production`. OFREP's paths are appended to it.
    public var environment: URL
    /// The first evaluation context; ``RemoteFlags/setContext(_:)`` changes it.
    public var context: FlagContext
    /// The app's major version, `"2"`, whose flags keep their types and variants; nil for the newest.
    public var version: String?
    /// The cache folder, with a file for each context; nil keeps the fetched evaluations in memory only. The folder can
    /// be that of AlmanacConfig.
    public var cache: URL?
    /// The maximum number of contexts in the cache folder. The oldest files are evicted.
    public var maxCachedContexts = 4
    /// The source of bearer tokens; nil if the flags are public.
    public var tokens: (any TokenProvider)?
    /// The minimum time between two fetches without `force`. Use zero during development.
    public var minimumInterval: Duration = .seconds(300)
    /// The age of the last response at which ``FlagStatus/isStale`` becomes true.
    public var staleAfter: Duration = .seconds(7200)
    /// The time limit for one request.
    public var timeout: Duration = .seconds(30)
    /// The upper bound of a response's size, in bytes.
    public var maxResponseBytes = 16 << 20
    /// The longest time without a byte on the event stream. The server sends at least one event every 20 seconds.
    public var streamIdleTimeout: Duration = .seconds(65)
    /// Receives problems that developers should know: flags without a value, and an unusable cache. By default, a debug
    /// build logs them, on Apple platforms with `os.Logger`, and on Linux to standard error.
    public var report: @Sendable (FlagReport) -> Void = { DebugLog.write($0, library: "AlmanacFlags") }
    /// The transport for requests.
    public var transport: any ClientTransport
    /// The clock for intervals and ages.
    public var clock: any ClientClock = SystemClientClock()
    /// The source of the jitter that spreads the fetches of many devices.
    public var random: any RandomSource = SystemRandomSource()

    /// Creates options with defaults for a release build.
    public init(
        environment: URL, context: FlagContext = FlagContext(), version: String? = nil, cache: URL? = nil,
        transport: any ClientTransport = AlmanacHTTPTransport()
    ) {
        self.environment = environment
        self.context = context
        self.version = version
        self.cache = cache
        self.transport = transport
    }
}
