public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacIdentity
public import AlmanacNotesDomain
public import AlmanacOpenIDConnect

/// Who the users of one environment are, by the access tokens of its identity provider.
public struct UserAuthority: AccountAuthority {
    /// Nil where the environment names no provider.
    private let verifier: TokenVerifier?

    public init(_ settings: EnvironmentSettings) {
        let environment = settings.name.text
        let report: @Sendable (ProviderFailure) -> Void = { failure in
            Log.error("identity provider", ("environment", environment), ("reason", "\(failure)"))
        }
        verifier =
            switch settings.identity {
            case nil: nil
            case .provider(let issuer, let audience, let caFile):
                TokenVerifier(provider: issuer, audience: audience, caFile: caFile, report: report)
            case .development(let files):
                TokenVerifier(developmentIn: environment, publicKeyFile: files.publicKey, report: report)
            }
        // The development issuer's key is in a file, which may be made later and takes no time to read.
        if case .provider = settings.identity { verifier?.prefetchKeys() }
    }

    public func caller(of request: Request) throws(Problem) -> VerifiedUser? {
        guard let authorization = request.headers["Authorization"] else { return nil }
        // By its bytes, for a token is long and every request has one.
        let parts = authorization.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = try verify(parts[1])
        return VerifiedUser(issuer: token.issuer, subject: token.subject)
    }

    /// Who an access token speaks for where scopes count.
    public func scoped(_ token: String) throws(Problem) -> Caller {
        let verified = try verify(token)
        return Caller(
            name: verified.subject, scopes: verified.scopes.compactMap(Scope.init(rawValue:)),
            expiresAt: verified.expiresAt)
    }

    /// What an access token says, after it was found to be valid here.
    public func verify(_ token: String) throws(Problem) -> VerifiedToken {
        guard let verifier else {
            throw Problem(
                .tokenRefused, "this environment has no identity provider, so users' tokens are not accepted",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
        }
        do {
            return try verifier.verify(token)
        } catch  where error.isTemporary {
            throw Problem(.identityProviderAway, "\(error)", headers: [("Retry-After", "5")])
        } catch {
            throw Problem(
                .tokenRefused, "\(error)",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
        }
    }
}
