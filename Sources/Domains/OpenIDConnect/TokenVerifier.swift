internal import AlmanacCryptography
public import AlmanacHTTPSClient
public import AlmanacPOSIX
internal import AlmanacTimestamps

/// Checks the access tokens of one environment's users (RFC 7519 with RFC 8725, RFC 9068).
///
/// Any number of threads may use it at the same time. Checking blocks only when the issuer's keys must be fetched
/// first.
public final class TokenVerifier: Sendable {
    /// The issuer whose tokens are accepted.
    public let issuer: String
    private let audience: String
    private let keys: KeyStore
    private let clock: ServerClock
    private let verified = VerifiedTokens()

    /// - Parameters:
    ///   - issuer: what a token's `iss` must be.
    ///   - audience: what must be among a token's `aud`.
    ///   - clock: tells which tokens are in force.
    public init(issuer: String, audience: String, keys: KeyStore, clock: ServerClock = .system) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.clock = clock
    }

    /// Checks tokens of an OpenID Connect provider.
    ///
    /// - Parameters:
    ///   - caFile: the only certificate authorities that may vouch for the provider; nil trusts those of the system.
    ///   - waits: bounds how many threads wait for the provider's keys.
    ///   - report: gets the failure whenever the provider's keys could not be had.
    public convenience init(
        provider issuer: WebAddress, audience: String, caFile: String? = nil, waits: WaitLimit = WaitLimit(8),
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        let source = KeySource.provider(issuer, client: HTTPSClient(caFile: caFile))
        self.init(issuer: issuer.text, audience: audience, keys: KeyStore(source, waits: waits, report: report))
    }

    /// Checks tokens of the development issuer.
    ///
    /// - Parameter publicKeyFile: may be made later.
    public convenience init(
        developmentIn environment: String, publicKeyFile: String,
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        let issuer = DevelopmentIssuer.name(environment: environment)
        self.init(issuer: issuer, audience: issuer, keys: KeyStore(.file(publicKeyFile), report: report))
    }

    /// Begins to fetch the issuer's keys, so that the first tokens after a start need not wait for them.
    public func prefetchKeys() {
        keys.prefetch()
    }

    /// The claims of a token, if it is an access token of this issuer for this audience, in force and signed by the
    /// issuer.
    public func verify(_ token: String) throws(TokenFailure) -> VerifiedToken {
        guard token.utf8.count <= CompactToken.largest else { throw .tooLarge }
        let digest = SHA256.digest(Array(token.utf8))
        let now = clock.milliseconds()
        let generation = keys.generation
        if let known = verified.find(digest, generation: generation) {
            if now < known.expiresAt.milliseconds + Claims.leeway { return known }
            verified.remove(digest)
            throw .expired
        }
        let token = try CompactToken(token)
        // The claims come first: a token that is refused in any case has no keys fetched and no signature checked.
        let claims = try token.claims.check(issuer: issuer, audience: audience, now: now)
        let key = try keys.key(for: token.header)
        guard key.isValid(token.signature, of: token.signedBytes, by: token.header.algorithm) else {
            throw .wrongSignature
        }
        verified.insert(claims, digest, generation: generation)
        return claims
    }

    /// Who signed in, by the ID token that the provider gave for a code.
    ///
    /// - Parameters:
    ///   - client: the client that the code was given to.
    ///   - nonce: of this sign-in.
    ///   - authenticatedSince: the provider must have asked the user who they are at this time or later; nil for any.
    ///   - claim: the name of a claim to read.
    func verify(
        identity token: String, of client: String, nonce: String, authenticatedSince: Timestamp?, claim: String?
    ) throws(TokenFailure) -> SignedInUser {
        // A user may be in many groups.
        let token = try CompactToken(token, limit: 8 * CompactToken.largest)
        let verified = try token.claims.checkIdentity(
            issuer: issuer, client: client, nonce: nonce, authenticatedSince: authenticatedSince?.milliseconds,
            now: clock.milliseconds())
        let key = try keys.key(for: token.header, isFromIssuer: true)
        guard key.isValid(token.signature, of: token.signedBytes, by: token.header.algorithm) else {
            throw .wrongSignature
        }
        return SignedInUser(
            issuer: verified.issuer, subject: verified.subject, claim: claim.map { token.claims.texts($0) } ?? [])
    }
}
