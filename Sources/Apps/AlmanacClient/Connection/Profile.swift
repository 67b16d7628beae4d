/// A named set of answers to "which server, which environment, who am I".
public struct Profile: Sendable, Equatable {
    /// Where the server is: `https://almanac.example.com`.
    public var url: String?
    public var environment: String?
    /// The file with the token; `{environment}` in it stands for the environment's name.
    public var tokenFile: String?
    /// The only certificate authorities to trust, in PEM; nil trusts those of the system.
    public var caFile: String?
    /// The identity provider to sign in at, exactly as it calls itself.
    public var issuer: String?
    /// What the provider knows the command line as.
    public var clientID: String?
    /// The only certificate authorities to trust at the provider, in PEM; nil trusts those of the system.
    public var issuerCAFile: String?

    public init(
        url: String? = nil, environment: String? = nil, tokenFile: String? = nil, caFile: String? = nil,
        issuer: String? = nil, clientID: String? = nil, issuerCAFile: String? = nil
    ) {
        self.url = url
        self.environment = environment
        self.tokenFile = tokenFile
        self.caFile = caFile
        self.issuer = issuer
        self.clientID = clientID
        self.issuerCAFile = issuerCAFile
    }

    /// This profile, with another one's answers where it has none itself.
    public func completed(by other: Profile) -> Profile {
        Profile(
            url: url ?? other.url, environment: environment ?? other.environment,
            tokenFile: tokenFile ?? other.tokenFile, caFile: caFile ?? other.caFile,
            issuer: issuer ?? other.issuer, clientID: clientID ?? other.clientID,
            issuerCAFile: issuerCAFile ?? other.issuerCAFile)
    }
}
