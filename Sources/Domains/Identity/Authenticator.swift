public import AlmanacEnvironments
public import AlmanacHTTP
internal import AlmanacOpenIDConnect
public import AlmanacPOSIX

/// Finds out who sends a request to one environment: the bearer of one of its API tokens, or one of its users.
public struct Authenticator: Sendable {
    private let tokens: TokenStore
    private let sessions: SessionStore?
    private let users: UserCheck
    /// Signs users in at the identity provider; nil where that is not set up.
    let codeFlow: CodeFlow?

    /// Checks a user's access token, and says whom it speaks for; refuses one that isn't valid here.
    public typealias UserCheck = @Sendable (_ token: String) throws(Problem) -> Caller

    /// - Parameter sessions: nil where no cookie counts.
    public init(tokens: TokenStore, sessions: SessionStore? = nil, users: @escaping UserCheck) {
        self.init(tokens: tokens, sessions: sessions, codeFlow: nil, users: users)
    }

    private init(tokens: TokenStore, sessions: SessionStore?, codeFlow: CodeFlow?, users: @escaping UserCheck) {
        self.codeFlow = codeFlow
        self.tokens = tokens
        self.sessions = sessions
        self.users = users
    }

    /// Takes users' tokens from the identity provider that the environment names, if it names one.
    ///
    /// - Parameters:
    ///   - waits: bounds how many threads wait for the provider's keys.
    ///   - report: gets the failure whenever these could not be had.
    public init(
        _ settings: EnvironmentSettings, tokens: TokenStore, sessions: SessionStore? = nil,
        waits: WaitLimit = WaitLimit(8), report: @escaping @Sendable (any Error) -> Void
    ) {
        let verifier = TokenVerifier(settings, waits) { report($0) }
        // The development issuer's key is in a file, which may be made later and takes no time to read.
        if case .provider = settings.identity { verifier?.prefetchKeys() }
        self.init(
            tokens: tokens, sessions: sessions, codeFlow: CodeFlow(settings, verifier, waits) { report($0) }
        ) { token throws(Problem) in try Self.verify(token, verifier) }
    }

    /// The sender of a request, whatever their token or session; nil when the request carries no `Authorization`
    /// header, and no cookie that counts.
    ///
    /// A header that is malformed or holds a token which isn't valid here is refused (401, RFC 6750 §3), and so is the
    /// cookie of a session that has ended.
    public func caller(of request: Request) throws(Problem) -> Caller? {
        if let authorization = request.headers["Authorization"] { return try caller(authorization: authorization) }
        return try sessionCaller(of: request)
    }

    /// Whoever is signed in at this environment where a request comes from, whichever it asks; nil where no cookie
    /// counts.
    public func sessionCaller(of request: Request) throws(Problem) -> Caller? {
        // Nothing else costs the API's own host anything.
        guard request.application != nil else { return nil }
        return try sessions?.caller(of: request)
    }

    /// Whether the database need not be asked for the session of a request, which may have none.
    public func knowsSession(of request: Request) -> Bool {
        request.application == nil || request.headers["Authorization"] != nil || sessions?.knows(request) != false
    }

    /// Whether an API token is good, of which only the id is known.
    public func isValid(tokenID id: String) -> Bool { tokens.isValid(id) }

    /// The bearer of the token in the value of an `Authorization` header.
    public func caller(authorization: String) throws(Problem) -> Caller {
        guard let token = Self.bearerToken(authorization) else { throw Self.tokenNeeded }
        return token.hasPrefix("almanac_") ? try tokens.caller(token) : try users(token)
    }

    /// The sender of a request that needs a token with a scope.
    public func caller(of request: Request, with scope: Scope) throws(Problem) -> Caller {
        guard let caller = try caller(of: request) else { throw Self.tokenNeeded }
        try caller.needs(scope)
        return caller
    }

    /// The user who sends a request about what is their own.
    public func user(of request: Request) throws(Problem) -> VerifiedUser {
        if let session = try sessionCaller(of: request) {
            guard let user = session.user else {
                throw Problem(.scopeTooSmall, "notes are their users': sign in at the notes pages")
            }
            return user
        }
        guard let token = request.headers["Authorization"].flatMap(Self.bearerToken) else {
            throw Self.tokenNeeded("send the user's access token as: Authorization: Bearer …")
        }
        return try user(of: try users(token))
    }

    /// As ``user(of:)``, for what can't be taken back: a session must have been signed in a moment ago.
    public func freshUser(of request: Request) throws(Problem) -> VerifiedUser {
        if let sessions { try sessionCaller(of: request)?.needsFreshSignIn(at: sessions.now) }
        return try user(of: request)
    }

    /// The user whom an access token speaks for.
    func user(of caller: Caller) throws(Problem) -> VerifiedUser {
        // An API token is refused there like any other text that is no access token.
        guard let user = caller.user,
            [user.issuer, user.subject].allSatisfy({ (1...Self.longestName).contains($0.utf8.count) })
        else {
            throw .tokenRefused("the token's issuer and subject must have 1 to \(Self.longestName) bytes")
        }
        return user
    }

    /// The longest issuer and subject, in bytes; longer ones would not fit the index that finds the account.
    private static let longestName = 1000

    /// The refusal of a request that needs a token and has none.
    public static var tokenNeeded: Problem { tokenNeeded("send a token as: Authorization: Bearer almanac_…") }

    private static func tokenNeeded(_ detail: String) -> Problem {
        Problem(.tokenNeeded, detail, headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    /// The token in the value of an `Authorization` header (RFC 6750 §2.1); nil when it has another form.
    private static func bearerToken(_ authorization: String) -> String? {
        // By its bytes, for a token is long and every request has one.
        let parts = authorization.utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, String(Substring(parts[0])).lowercased() == "bearer" else { return nil }
        return String(Substring(parts[1]))
    }

    private static func verify(_ token: String, _ verifier: TokenVerifier?) throws(Problem) -> Caller {
        guard let verifier else {
            throw .tokenRefused("this environment has no identity provider, so users' tokens are not accepted")
        }
        do {
            let verified = try verifier.verify(token)
            return Caller(
                user: VerifiedUser(issuer: verified.issuer, subject: verified.subject),
                scopes: verified.scopes.compactMap(Scope.init(rawValue:)), expiresAt: verified.expiresAt)
        } catch  where error.isTemporary {
            throw Problem(.identityProviderAway, "\(error)", headers: [("Retry-After", "5")])
        } catch {
            throw .tokenRefused("\(error)")
        }
    }
}

extension Problem {
    /// The refusal of a token that opens nothing here.
    static func tokenRefused(_ detail: String) -> Problem {
        Problem(
            .tokenRefused, detail, headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
    }
}

extension TokenVerifier {
    /// Checks the tokens of an environment's users; nil where it names no provider.
    fileprivate convenience init?(
        _ settings: EnvironmentSettings, _ waits: WaitLimit, report: @escaping @Sendable (ProviderFailure) -> Void
    ) {
        switch settings.identity {
        case nil: return nil
        case .provider(let issuer, let audience, let caFile):
            self.init(provider: issuer, audience: audience, caFile: caFile, waits: waits, report: report)
        case .development(let files):
            self.init(developmentIn: settings.name.text, publicKeyFile: files.publicKey, report: report)
        }
    }
}

extension CodeFlow {
    /// Nil where the environment names no client.
    fileprivate convenience init?(
        _ settings: EnvironmentSettings, _ verifier: TokenVerifier?, _ waits: WaitLimit,
        report: @escaping @Sendable (ProviderFailure) -> Void
    ) {
        guard case .provider(let issuer, _, let caFile) = settings.identity, let verifier, let client = settings.signIn
        else { return nil }
        self.init(
            issuer: issuer, client: (client.id, client.secret.text, client.scopes), verifier: verifier, caFile: caFile,
            waits: waits, report: report)
    }
}
