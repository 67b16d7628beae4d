#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A user's sign-in at a provider: OAuth 2.0 authorization code with PKCE (RFC 7636, RFC 8252) and OpenID Connect.
///
/// ```swift
/// let session = SignInSession(options, storage: FileTokenStorage(file: file))
/// let request = try await session.begin(redirect: "com.example.notes:/callback")
/// open(request.url)                                                  // and later, with what came back:
/// try await session.complete(request, callback: url)
/// let token = try await session.accessToken()                        // refreshed when it has to be
/// ```
public actor SignInSession: TokenProvider {
    let options: SignInOptions
    let storage: any TokenStorage
    /// The shared refresh. A refresh outlives its callers because the new refresh token must be stored.
    let refreshing = SharedOperation<Result<TokenSet, any Error>>(outlivesCallers: true)

    var provider: Provider { Provider(options: options) }

    /// Creates a session with the stored sign-in, if it belongs to the same provider and app.
    public init(_ options: SignInOptions, storage: any TokenStorage) {
        self.options = options
        self.storage = storage
    }

    /// The state of the sign-in, read from the storage without a request.
    public var status: SignInStatus {
        get async {
            do throws(SignInFailure) {
                guard let stored = try await stored() else { return .signedOut }
                return stored.tokens == nil ? .signInAgain(stored.account) : .signedIn(stored.account)
            } catch {
                return .unreadable(error)
            }
        }
    }

    /// Starts a sign-in.
    ///
    /// - Parameter redirect: the URI to which the provider redirects the user: ``LoopbackRedirect/address``, or a URI
    ///   with the app's own scheme.
    public func begin(redirect: String) async throws(SignInFailure) -> AuthorizationRequest {
        try checkClientID()
        return try AuthorizationRequest(try await provider.metadata(), redirect: redirect, options)
    }

    /// Completes a sign-in with the provider's response, and stores the tokens.
    ///
    /// - Parameter callback: the complete URL that the browser was redirected to.
    @discardableResult public func complete(_ request: AuthorizationRequest, callback: URL) async throws(SignInFailure)
        -> UserAccount
    {
        let response = try await provider.tokens(
            request.metadata,
            [
                ("grant_type", "authorization_code"), ("code", try request.code(in: callback)),
                ("redirect_uri", request.redirect), ("code_verifier", request.verifier),
            ])
        return try await store(response, nonce: request.nonce)
    }

    func checkClientID() throws(SignInFailure) {
        guard !options.clientID.isEmpty else {
            throw .setting("expected the client id of the app at the provider")
        }
    }

    /// Verifies and stores the tokens of a new sign-in.
    ///
    /// - Parameter nonce: the request's nonce; nil for a sign-in on another device, which has none.
    func store(_ response: TokenResponse, nonce: String?) async throws(SignInFailure) -> UserAccount {
        guard let text = response.idToken else {
            throw .unexpectedResponse("expected an ID token with the access token")
        }
        let now = options.clock.date
        let idToken = try IDToken(text, issuer: options.issuer, clientID: options.clientID, nonce: nonce, now: now)
        let account = UserAccount(issuer: options.issuer, subject: idToken.subject)
        let signIn = StoredSignIn(account: account, clientID: options.clientID, tokens: response.tokens(at: now))
        let storage = storage
        try await mappingStorageErrors { try await storage.exclusively { try await storage.save(signIn) } }
        return account
    }

    /// Signs out: removes the tokens from this device and revokes them at the provider (RFC 7009).
    @discardableResult public func signOut() async throws(SignInFailure) -> Revocation {
        let storage = storage
        let tokens = try await mappingStorageErrors {
            try await storage.exclusively {
                // An unreadable file must be removed too.
                let stored = try? await storage.load()
                try await storage.save(nil)
                return stored
            }
        }
        guard let tokens, belongsToThisClient(tokens), let refreshToken = tokens.tokens?.refreshToken else {
            return .notOffered
        }
        do {
            guard let endpoint = try await provider.metadata().revocation else { return .notOffered }
            try await provider.revoke(refreshToken, endpoint)
            return .done
        } catch {
            return .failed(error)
        }
    }

    /// Returns the stored sign-in if it belongs to this provider and app.
    func stored() async throws(SignInFailure) -> StoredSignIn? {
        let storage = storage
        let stored = try await mappingStorageErrors { try await storage.load() }
        return stored.flatMap { belongsToThisClient($0) ? $0 : nil }
    }

    func belongsToThisClient(_ signIn: StoredSignIn) -> Bool {
        signIn.account.issuer.utf8.elementsEqual(options.issuer.utf8)
            && signIn.clientID.utf8.elementsEqual(options.clientID.utf8)
    }

    /// Runs an operation on the storage and translates its errors.
    func mappingStorageErrors<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws(SignInFailure) -> Value {
        do {
            return try await work()
        } catch {
            throw SignInFailure(storing: error)
        }
    }
}

extension SignInFailure {
    init(storing error: any Error) {
        self =
            switch error {
            case let failure as SignInFailure: failure
            case is CancellationError: .cancelled
            default: .storage("\(error)")
            }
    }
}

/// The state of a session.
public enum SignInStatus: Sendable, Hashable {
    /// No user is signed in.
    case signedOut
    /// This user is signed in.
    case signedIn(UserAccount)
    /// This user was signed in, but the provider no longer accepts the tokens.
    case signInAgain(UserAccount)
    /// The storage cannot be read, as before the first unlock of a phone. A user may be signed in.
    case unreadable(SignInFailure)
}

/// The result of revoking the tokens during a sign-out. The tokens are removed from the device in any case.
public enum Revocation: Sendable, Hashable {
    /// The provider has revoked the tokens.
    case done
    /// There was no refresh token, or the provider has no revocation endpoint.
    case notOffered
    /// The revocation failed, so the tokens may still be valid.
    case failed(SignInFailure)
}
