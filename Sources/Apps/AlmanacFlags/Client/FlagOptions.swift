// The transport, clock, randomness and tokens that options take belong to this module's interface: an app needs one
// import for them, and the other files of the module need none.
@_exported public import AlmanacClientRuntime
public import Foundation

/// Whose flags a client keeps, and what it works with.
public struct FlagOptions: Sendable {
    /// The address of the environment: `https://config.example.com/production`. OFREP's paths follow behind it.
    public var environment: URL
    /// Who is asking at first; ``RemoteFlags/setContext(_:)`` says when it is somebody else.
    public var context: FlagContext
    /// The major that the app was built against, `"2"`: its flags keep their types and variants. Nil sees every change.
    public var version: String?
    /// The folder to keep in what was fetched, a file for each context; nil keeps it in memory only.
    public var cache: URL?
    /// For how many contexts evaluations are kept in the folder: those written last.
    public var keptContexts = 4
    /// Where the bearer tokens of the requests come from; nil where the flags are public.
    public var tokens: (any TokenProvider)?
    /// How long ``RemoteFlags/fetch(force:)`` is content with what was fetched last. Zero in development.
    public var minimumInterval: Duration = .seconds(300)
    /// How old the last response may be before ``FlagStatus/isStale``.
    public var staleAfter: Duration = .seconds(7200)
    /// How long one request may take.
    public var timeout: Duration = .seconds(30)
    /// The most bytes of one response.
    public var byteLimit = 16 << 20
    /// How long a stream may be silent; the server sends something every 20 seconds.
    public var streamSilence: Duration = .seconds(65)
    /// Receives what developers should know: flags without a value, a cache that can't be used.
    public var report: @Sendable (FlagReport) -> Void = { _ in }
    /// Sends the requests.
    public var transport: any ClientTransport
    /// Tells the time.
    public var clock: any ClientClock = SystemClientClock()
    /// Spreads the fetches of many devices.
    public var random: any RandomSource = SystemRandomSource()

    /// Names an environment and who is asking; the rest has values that suit a release build.
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
