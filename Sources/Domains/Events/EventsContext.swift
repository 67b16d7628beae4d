public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity
internal import AlmanacNotesDomain
public import AlmanacOpenIDConnect
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// What the events endpoint of one environment works with.
public struct EventsContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let hub: Hub
    private let tokens: TokenStore
    private let verify: UserCheck

    /// What a user's access token says; refuses one that isn't valid.
    public typealias UserCheck = @Sendable (_ token: String) throws(Problem) -> VerifiedToken

    public init(
        settings: EnvironmentSettings, pool: Pool, hub: Hub, tokens: TokenStore, verify: @escaping UserCheck
    ) {
        self.settings = settings
        self.pool = pool
        self.hub = hub
        self.tokens = tokens
        self.verify = verify
    }

    /// A token that has run out is accepted for a little while after, in milliseconds; so is a stream with it.
    private static let leeway: Int64 = 60_000

    /// Who asks for a stream, and what they may see; refuses who may see nothing.
    func audience(of request: Request) throws(Problem) -> Audience {
        let isPublic = settings.configRead == .everyone
        guard let token = request.bearerToken else {
            // A header that holds no token is refused with the same words.
            guard isPublic, request.headers["Authorization"] == nil else { throw TokenStore.tokenNeeded }
            return Audience(readsConfig: true, user: nil, tokenID: nil, expiresAt: nil)
        }
        if token.hasPrefix("almanac_") {
            let caller = try tokens.caller(authorization: "Bearer \(token)")
            try caller.needs(.configRead)
            return Audience(
                readsConfig: true, user: nil, tokenID: caller.tokenID, expiresAt: caller.expiresAt?.milliseconds)
        }
        let verified = try verify(token)
        let scopes = verified.scopes.compactMap(Scope.init(rawValue:))
        let now = WallClock.milliseconds
        let expiresAt = verified.expiresAt.milliseconds
        return Audience(
            readsConfig: isPublic || scopes.contains { $0.includes(.configRead) },
            user: VerifiedUser(issuer: verified.issuer, subject: verified.subject), tokenID: nil,
            expiresAt: expiresAt > now ? expiresAt : expiresAt + Self.leeway)
    }
}

extension Request {
    /// The token of the `Authorization` header (RFC 6750 §2.1).
    fileprivate var bearerToken: String? {
        guard let authorization = headers["Authorization"] else { return nil }
        let parts = authorization.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
    }
}
