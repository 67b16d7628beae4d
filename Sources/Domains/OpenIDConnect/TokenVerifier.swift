internal import AlmanacCryptography
public import AlmanacHTTPSClient
public import AlmanacPOSIX
internal import AlmanacTimestamps

/// Verifies the access tokens of one environment's users (RFC 7519 with RFC 8725, RFC 9068).
///
/// Safe to use from any number of threads. A call blocks only if the issuer's keys must be fetched first.
public final class TokenVerifier: Sendable {
    /// The issuer whose tokens are accepted.
    public let issuer: String
    private let audience: String
    private let keys: KeyStore
    private let clock: ServerClock
    private let verified = VerifiedTokens()

    /// - Parameters:
    ///   - issuer: the required `iss` of a token.
    ///   - audience: a required element of a token's `aud`.
    ///   - clock: decides whether a token has expired.
    public init(issuer: String, audience: String, keys: KeyStore, clock: ServerClock = .system) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.clock = clock
    }

    /// Creates a verifier for tokens of an OpenID Connect provider.
    ///
    /// - Parameters:
    ///   - caFile: the only certificate authorities to trust for the provider; nil trusts the system's.
    ///   - waits: limits the threads that wait for the provider's keys.
    ///   - report: receives the failure of every failed fetch of the keys.
    public convenience init(
        provider issuer: WebAddress, audience: String, caFile: String? = nil, waits: WaitLimit = WaitLimit(8),
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        let source = KeySource.provider(issuer, client: HTTPSClient(caFile: caFile))
        self.init(issuer: issuer.text, audience: audience, keys: KeyStore(source, waits: waits, report: report))
    }

    /// Creates a verifier for tokens of the development issuer.
    ///
    /// - Parameter publicKeyFile: the public key; the file may be created later.
    public convenience init(
        developmentIn environment: String, publicKeyFile: String,
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        let issuer = DevelopmentIssuer.name(environment: environment)
        self.init(issuer: issuer, audience: issuer, keys: KeyStore(.file(publicKeyFile), report: report))
    }

    /// Starts a fetch of the issuer's keys, so that the first tokens after a start need not wait for them.
    public func prefetchKeys() { keys.prefetch() }

    /// Returns the claims of an access token. Throws unless the issuer signed it for this audience and it is valid now.
    public func verify(_ token: String) throws(TokenFailure) -> VerifiedToken {
        guard token.utf8.count <= CompactToken.maxBytes else { throw .tooLarge }
        let digest = SHA256.digest(Array(token.utf8))
        let now = clock.milliseconds()
        let generation = keys.generation
        if let known = verified.find(digest, generation: generation) {
            if now < known.expiresAt.milliseconds + Claims.leeway { return known }
            verified.remove(digest)
            throw .expired
        }
        let token = try CompactToken(token)
        // Claims are checked first, so that a token with wrong claims causes no fetch of keys and no signature check.
        let claims = try token.claims.check(issuer: issuer, audience: audience, now: now)
        let key = try keys.key(for: token.header)
        guard key.isValid(token.signature, of: token.signedBytes, by: token.header.algorithm) else {
            throw .wrongSignature
        }
        verified.insert(claims, digest, generation: generation)
        return claims
    }

    /// Returns the user of the ID token that the provider sent in exchange for a code.
    ///
    /// - Parameters:
    ///   - client: the client that the code was issued to.
    ///   - nonce: the nonce of this sign-in.
    ///   - authenticatedSince: the earliest time at which the user must have signed in; nil for any.
    ///   - claims: the names of the claims to read.
    func verify(
        identity token: String, of client: String, nonce: String, authenticatedSince: Timestamp?, claims: [String]
    ) throws(TokenFailure) -> SignedInUser {
        // The token is long if the user is in many groups.
        let token = try CompactToken(token, limit: 8 * CompactToken.maxBytes)
        let verified = try token.claims.checkIdentity(
            issuer: issuer, client: client, nonce: nonce, authenticatedSince: authenticatedSince?.milliseconds,
            now: clock.milliseconds())
        let key = try keys.key(for: token.header, isFromIssuer: true)
        guard key.isValid(token.signature, of: token.signedBytes, by: token.header.algorithm) else {
            throw .wrongSignature
        }
        return SignedInUser(
            issuer: verified.issuer, subject: verified.subject, name: verified.name,
            claims: Dictionary(claims.map { ($0, token.claims.texts($0)) }) { first, _ in first })
    }
}
