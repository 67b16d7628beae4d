// Re-exported so that an app needs a single import.
@_exported public import AlmanacClientRuntime

/// The provider, the app and the settings of a sign-in.
public struct SignInOptions: Sendable {
    /// The provider's issuer URL, byte for byte: `https://login.example.com`. HTTP is allowed for this device only.
    public var issuer: String
    /// The app's client id at the provider. The app is a public client, which has no secret.
    public var clientID: String
    /// The requested scopes. `openid` is always added; `offline_access` requests a refresh token.
    public var scopes: [String]
    /// Additional parameters of the sign-in page's URL, such as `audience` or `resource` (RFC 8707).
    public var parameters: [(name: String, value: String)] = []
    /// The time before an access token's expiry at which it is refreshed.
    public var leeway: Duration = .seconds(60)
    /// The time limit for one request to the provider.
    public var timeout: Duration = .seconds(30)
    /// The transport for requests to the provider.
    public var transport: any ClientTransport
    /// The clock for the expiry of tokens and for waiting.
    public var clock: any ClientClock = SystemClientClock()
    /// The source of secrets. Its numbers must be unpredictable.
    public var random: any RandomSource = SystemRandomSource()

    /// Creates options with defaults for the other properties.
    public init(
        issuer: String, clientID: String, scopes: [String] = ["openid", "offline_access"],
        transport: any ClientTransport = AlmanacHTTPTransport()
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.scopes = scopes
        self.transport = transport
    }

    var scope: String { (scopes.contains("openid") ? scopes : ["openid"] + scopes).joined(separator: " ") }
}
