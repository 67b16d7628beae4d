// Accounts, clocks, transports and token providers belong to this module's interface, so that an app needs one import.
@_exported public import AlmanacClientRuntime

/// Which provider to sign in at, and as which app.
public struct SignInOptions: Sendable {
    /// The provider, exactly as it calls itself: `https://login.example.com`. HTTPS, or plain HTTP on this machine.
    public var issuer: String
    /// The app, as the provider knows it: a public client, which has no secret.
    public var clientID: String
    /// The scopes that are asked for. `openid` is always among them; `offline_access` asks for a refresh token.
    public var scopes: [String]
    /// More parameters of the sign-in page's address, such as `audience` or `resource` (RFC 8707).
    public var parameters: [(name: String, value: String)] = []
    /// How long before its end an access token is replaced.
    public var leeway: Duration = .seconds(60)
    /// How long one request to the provider may take.
    public var timeout: Duration = .seconds(30)
    /// How the provider is reached.
    public var transport: any ClientTransport
    /// The time of day by which tokens end, and what waits count on.
    public var clock: any ClientClock = SystemClientClock()
    /// Where secrets come from: nobody may be able to guess its bytes.
    public var random: any RandomSource = SystemRandomSource()

    /// Options for a provider and an app; the rest can be set afterwards.
    public init(
        issuer: String, clientID: String, scopes: [String] = ["openid", "offline_access"],
        transport: any ClientTransport = AlmanacHTTPTransport()
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.scopes = scopes
        self.transport = transport
    }

    /// The value of `scope`.
    var scope: String { (scopes.contains("openid") ? scopes : ["openid"] + scopes).joined(separator: " ") }
}
