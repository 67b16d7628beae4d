#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which provider to sign in at, and as which app.
public struct SignInOptions: Sendable {
    /// The provider, exactly as it calls itself: `https://login.example.com`. HTTPS, or plain HTTP on this machine.
    public var issuer: String
    /// The app, as the provider knows it: a public client, which has no secret.
    public var clientID: String
    /// What is asked for. `openid` is always among it; `offline_access` asks for a refresh token.
    public var scopes: [String]
    /// More parameters of the sign-in page's address, such as `audience` or `resource` (RFC 8707).
    public var parameters: [(name: String, value: String)] = []
    /// How long before its end an access token is replaced.
    public var leeway: TimeInterval = 60
    /// How long one request to the provider may take, in seconds.
    public var timeout: TimeInterval = 30
    public var transport: any SignInTransport
    /// The time of day.
    public var now: @Sendable () -> Date = { Date() }
    /// So many bytes that nobody can guess.
    public var random: @Sendable (_ count: Int) -> [UInt8] = { count in
        // Safe to be used for secrets: the system's generator, getrandom(2) on Linux.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    public init(
        issuer: String, clientID: String, scopes: [String] = ["openid", "offline_access"],
        transport: any SignInTransport = SignInHTTPTransport()
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.scopes = scopes
        self.transport = transport
    }

    /// The value of `scope`.
    var scope: String { (scopes.contains("openid") ? scopes : ["openid"] + scopes).joined(separator: " ") }
}
