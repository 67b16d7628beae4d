internal import AlmanacCryptography
public import AlmanacEnvironments
public import AlmanacHTTP
internal import AlmanacOpenIDConnect
public import AlmanacPOSIX

/// Identifies the sender of a request to one environment: the bearer of an API token, or a user.
public struct Authenticator: Sendable {
    private let tokens: TokenStore
    private let sessions: SessionStore?
    private let users: UserCheck
    /// The sign-in at the identity provider; nil if none is configured.
    let codeFlow: CodeFlow?

    /// Returns the caller of a user's access token. Throws if the token isn't valid in this environment.
    public typealias UserCheck = @Sendable (_ token: String) throws(Problem) -> Caller

    /// - Parameter sessions: nil if cookies are not accepted.
    public init(tokens: TokenStore, sessions: SessionStore? = nil, users: @escaping UserCheck) {
        self.init(tokens: tokens, sessions: sessions, codeFlow: nil, users: users)
    }

    private init(tokens: TokenStore, sessions: SessionStore?, codeFlow: CodeFlow?, users: @escaping UserCheck) {
        self.codeFlow = codeFlow
        self.tokens = tokens
        self.sessions = sessions
        self.users = users
    }

    /// Accepts users' tokens from the environment's identity provider, if one is configured.
    ///
    /// - Parameters:
    ///   - waits: limits the threads that wait for the provider's keys.
    ///   - report: receives each failure to fetch the keys.
    public init(
        _ settings: EnvironmentSettings, tokens: TokenStore, sessions: SessionStore? = nil,
        waits: WaitLimit = WaitLimit(8), report: @escaping @Sendable (any Error) -> Void
    ) {
        let verifier = TokenVerifier(settings, waits) { report($0) }
        // Only a provider's keys are prefetched: the development issuer's key is a local file, perhaps created later.
        if case .provider = settings.identity { verifier?.prefetchKeys() }
        self.init(
            tokens: tokens, sessions: sessions, codeFlow: CodeFlow(settings, verifier, waits) { report($0) }
        ) { token throws(Problem) in try Self.verify(token, verifier) }
    }

    /// Returns the sender of a request; nil if it has neither an `Authorization` header nor an accepted cookie.
    ///
    /// Throws 401 (RFC 6750 §3) for a malformed header, an invalid token, or the cookie of an ended session.
    public func caller(of request: Request) throws(Problem) -> Caller? {
        if let authorization = request.headers["Authorization"] { return try caller(authorization: authorization) }
        return try sessionCaller(of: request)
    }

    /// Returns the user who is signed in, by the cookie of a request; nil without an accepted cookie.
    public func sessionCaller(of request: Request) throws(Problem) -> Caller? {
        // The API's own host accepts no cookies.
        guard request.application != nil else { return nil }
        return try sessions?.caller(of: request)
    }

    /// Returns true if the request's session is cached or not needed, so that no database query is necessary.
    public func knowsSession(of request: Request) -> Bool {
        request.application == nil || request.headers["Authorization"] != nil || sessions?.knows(request) != false
    }

    /// Returns true if the API token with an id is accepted now.
    public func isValid(tokenID id: String) -> Bool { tokens.isValid(id) }

    /// Throws if the user with a digest was removed.
    public func checkPresence(ofDigest digest: String) throws(Problem) {
        if sessions?.people.removedDigests.contains(digest) == true { throw .personRemoved }
    }

    /// Returns the bearer of the token in the value of an `Authorization` header.
    public func caller(authorization: String) throws(Problem) -> Caller {
        guard let token = Self.bearerToken(authorization) else { throw Self.tokenNeeded }
        if token.starts(with: "almanac_".utf8) { return try tokens.caller(SecretText(token)) }
        return try userCaller(String(decoding: token, as: UTF8.self))
    }

    /// Returns the bearer of a user's access token. Throws if the user was removed.
    private func userCaller(_ token: String) throws(Problem) -> Caller {
        let caller = try users(token)
        guard let people = sessions?.people, let user = caller.user else { return caller }
        try people.check(user)
        if !caller.scopes.isEmpty { people.noteUse(by: user, name: caller.personName, scopes: caller.scopes) }
        return caller
    }

    /// A hash of all names that ``personName(of:)`` may return, in eight letters, digits, `-` and `_`.
    public var namesDigest: String {
        PeopleStore.digest(of: [sessions?.people.namesDigest ?? "", tokens.ownersDigest])
    }

    /// Returns the name of the person behind an author; nil if none is known.
    public func personName(of author: Author) -> String? {
        switch author.kind {
        case .user: sessions?.people.name(ofSubject: author.name)
        case .token: author.tokenID.flatMap { tokens.owner(ofTokenID: $0)?.name }
        case .host: nil
        }
    }

    /// Writes the person who acts as a caller to the database with their scopes, which usually happens later.
    public func recordPerson(of caller: Caller) {
        // Without the database, the call itself fails soon.
        if caller.person != nil { try? sessions?.people.recordUses() }
    }

    /// Returns the sender of a request. Throws if the sender lacks a scope.
    public func caller(of request: Request, with scope: Scope) throws(Problem) -> Caller {
        guard let caller = try caller(of: request) else { throw Self.tokenNeeded }
        try caller.needs(scope)
        return caller
    }

    /// Returns the user who sends a request about their own data.
    public func user(of request: Request) throws(Problem) -> VerifiedUser {
        if let session = try sessionCaller(of: request) {
            guard let user = session.user else {
                throw Problem(
                    .scopeTooSmall, "notes need a user's session, not an operator's; sign in at the notes pages")
            }
            return user
        }
        guard let token = request.headers["Authorization"].flatMap(Self.bearerToken) else {
            throw Self.tokenNeeded("send the user's access token as: Authorization: Bearer …")
        }
        return try user(of: try userCaller(String(decoding: token, as: UTF8.self)))
    }

    /// Returns the user like ``user(of:)``, for changes that can't be undone: throws if a session's sign-in is too old.
    public func freshUser(of request: Request) throws(Problem) -> VerifiedUser {
        if let sessions { try sessionCaller(of: request)?.needsFreshSignIn(at: sessions.now) }
        return try user(of: request)
    }

    /// Returns the user of an access token.
    func user(of caller: Caller) throws(Problem) -> VerifiedUser {
        // An API token has no user, so it is refused like any invalid access token.
        guard let user = caller.user,
            [user.issuer, user.subject].allSatisfy({ (1...Self.maxNameBytes).contains($0.utf8.count) })
        else {
            throw .tokenRefused("the token's issuer and subject must have 1 to \(Self.maxNameBytes) bytes")
        }
        return user
    }

    /// The maximum length of issuer and subject, in bytes; longer names would not fit the index of accounts.
    private static let maxNameBytes = 1000

    /// The problem of a request without a required token.
    public static var tokenNeeded: Problem { tokenNeeded("send a token as: Authorization: Bearer almanac_…") }

    private static func tokenNeeded(_ detail: String) -> Problem {
        Problem(.tokenNeeded, detail, headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    /// Returns the bytes of the token in the value of an `Authorization` header (RFC 6750 §2.1); nil if the value has
    /// another form.
    private static func bearerToken(_ authorization: String) -> ArraySlice<UInt8>? {
        // Reads bytes instead of characters for speed, because every request has a long token.
        let space = UInt8(ascii: " ")
        let bytes = Array(authorization.utf8)
        // Bit 5 is the difference between capital and small letters.
        guard bytes.prefix(6).elementsEqual("bearer".utf8, by: { $0 | 32 == $1 }), bytes.dropFirst(6).first == space,
            let start = bytes.dropFirst(6).firstIndex(where: { $0 != space })
        else { return nil }
        let end = bytes[start...].firstIndex(of: space) ?? bytes.count
        return bytes[end...].allSatisfy { $0 == space } ? bytes[start..<end] : nil
    }

    private static func verify(_ token: String, _ verifier: TokenVerifier?) throws(Problem) -> Caller {
        guard let verifier else {
            throw .tokenRefused("this environment has no identity provider, so users' tokens are not accepted")
        }
        do {
            let verified = try verifier.verify(token)
            return Caller(
                user: VerifiedUser(issuer: verified.issuer, subject: verified.subject), personName: verified.name,
                scopes: verified.scopes.compactMap(Scope.init(rawValue:)), expiresAt: verified.expiresAt)
        } catch  where error.isTemporary {
            throw Problem(.identityProviderAway, "\(error)", headers: [("Retry-After", "5")])
        } catch {
            throw .tokenRefused("\(error)")
        }
    }
}

extension Problem {
    /// Returns the problem of a token that isn't valid here.
    static func tokenRefused(_ detail: String) -> Problem {
        Problem(
            .tokenRefused, detail, headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
    }
}

extension TokenVerifier {
    /// Checks the tokens of an environment's users; nil if no provider is configured.
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
    /// Returns nil if the environment has no client at a provider.
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
