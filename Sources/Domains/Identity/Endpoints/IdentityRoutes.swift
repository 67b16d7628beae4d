public import AlmanacCryptography
public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacPostgreSQL

/// The dependencies of one environment's endpoints for sessions, tokens, people, the audit log and the appearance.
public final class IdentityContext: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let tokens: TokenStore
    let sessions: SessionStore
    let authenticator: Authenticator
    public let appearance: AppearanceStore
    let signIns: SignInCounts
    /// Returns cryptographically random bytes of the given count.
    let random: @Sendable (Int) -> [UInt8]

    public init(
        settings: EnvironmentSettings, pool: Pool, tokens: TokenStore, sessions: SessionStore,
        authenticator: Authenticator, signIns: SignInCounts = SignInCounts(),
        random: @escaping @Sendable (Int) -> [UInt8] = { RandomBytes.make(count: $0) }
    ) {
        self.settings = settings
        self.pool = pool
        self.tokens = tokens
        self.sessions = sessions
        self.authenticator = authenticator
        self.signIns = signIns
        self.random = random
        appearance = AppearanceStore(settings, pool: pool)
    }

    /// Returns the caller of a request. Throws if the caller is no administrator.
    func administrator(of request: Request) throws(Problem) -> Caller {
        try authenticator.caller(of: request, with: .admin)
    }

    /// Returns the caller of a request about tokens, people or invitations. Throws unless the caller is an
    /// administrator with a fresh sign-in.
    func freshAdministrator(of request: Request) throws(Problem) -> Caller {
        let caller = try administrator(of: request)
        try caller.needsFreshSignIn(at: sessions.now)
        return caller
    }
}

/// The routes of sessions, tokens, people, passkeys, the audit log and the appearance in the console.
public enum IdentityRoutes {
    public static let all: [Route<IdentityContext>] = [
        Route("GET", "/{environment}/session", SessionEndpoints.show),
        Route("POST", "/{environment}/session", claim: signIn, SessionEndpoints.begin),
        Route("DELETE", "/{environment}/session", claim: signIn, SessionEndpoints.end),
        Route("GET", "/{environment}/session/login", claim: signIn, ProviderEndpoints.login),
        Route("GET", "/{environment}/session/callback", claim: signIn, ProviderEndpoints.callback),
        Route("POST", "/{environment}/session/link", claim: change, SessionEndpoints.link),
        Route("GET", "/{environment}/sessions", claim: past, SessionEndpoints.list),
        Route("DELETE", "/{environment}/sessions/{id}", claim: change, SessionEndpoints.revoke),
        Route("GET", "/{environment}/tokens", claim: past, TokenEndpoints.list),
        Route("POST", "/{environment}/tokens", claim: change, TokenEndpoints.create),
        Route("DELETE", "/{environment}/tokens/{id}", claim: change, TokenEndpoints.revoke),
        Route("POST", "/{environment}/tokens/{id}/rotate", claim: change, TokenEndpoints.rotate),
        Route("PATCH", "/{environment}/tokens/{id}", claim: change, TokenEndpoints.change),
        Route("GET", "/{environment}/people", claim: past, PeopleEndpoints.list),
        Route("PATCH", "/{environment}/people/{id}", claim: change, PeopleEndpoints.change),
        Route("DELETE", "/{environment}/people/{id}", claim: change, PeopleEndpoints.remove),
        Route("POST", "/{environment}/people/{id}/admit", claim: change, PeopleEndpoints.admit),
        Route("GET", "/{environment}/invitations", claim: past, InvitationEndpoints.list),
        Route("POST", "/{environment}/invitations", claim: change, InvitationEndpoints.create),
        Route("DELETE", "/{environment}/invitations/{id}", claim: change, InvitationEndpoints.revoke),
        Route("GET", "/{environment}/passkeys", claim: past, PasskeyEndpoints.list),
        Route("DELETE", "/{environment}/passkeys/{id}", claim: change, PasskeyEndpoints.remove),
        Route("GET", "/{environment}/audit", claim: past, AuditEndpoint.list),
        Route("PUT", "/{environment}/appearance", claim: change, AppearanceEndpoint.set),
    ]

    /// The routes whose paths name no environment.
    public static let directory: [Route<[IdentityContext]>] = [
        Route("GET", "/environments", EnvironmentsEndpoint.list),
        Route("POST", "/passkeys/challenge", claim: ceremony, CeremonyEndpoints.challenge),
        Route("POST", "/passkeys/registration", claim: ceremony, CeremonyEndpoints.register),
        Route("POST", "/passkeys/session", claim: ceremony, CeremonyEndpoints.signIn),
    ]

    private static func ceremony(_: Request, _: [IdentityContext]) -> WorkClaim? { WorkClaim(.config) }

    /// Claims work without a caller, because nobody is signed in yet.
    private static func signIn(_: Request, _: IdentityContext) -> WorkClaim? { WorkClaim(.config) }

    private static func past(_ request: Request, _ context: IdentityContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.authenticator.caller(of: request)?.key ?? "")
    }

    private static func change(_ request: Request, _ context: IdentityContext) throws -> WorkClaim? {
        WorkClaim(.config, for: try context.authenticator.caller(of: request)?.key ?? "", isChange: true)
    }
}
