#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One user's sign-in at one provider: OAuth 2.0 authorization code with PKCE (RFC 7636, RFC 8252) and OpenID Connect.
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
    /// When nobody waits any more, the new refresh token has to be stored all the same.
    let refreshing = SharedWork<Result<TokenSet, any Error>>(outlivesCallers: true)

    var provider: Provider { Provider(options: options) }

    /// Uses what is stored from an earlier run, if it is of the same provider and app.
    public init(_ options: SignInOptions, storage: any TokenStorage) {
        self.options = options
        self.storage = storage
    }

    /// Whether a user is signed in, without asking the provider.
    public var status: SignInStatus {
        get async throws(SignInFailure) {
            guard let stored = try await stored() else { return .signedOut }
            return stored.tokens == nil ? .signInAgain(stored.account) : .signedIn(stored.account)
        }
    }

    /// Begins a sign-in.
    ///
    /// - Parameter redirect: where the provider sends the user afterwards: ``LoopbackRedirect/address``, or an address
    ///   of a scheme that is the app's own.
    public func begin(redirect: String) async throws(SignInFailure) -> AuthorizationRequest {
        try checkClientID()
        return try AuthorizationRequest(try await provider.metadata(), redirect: redirect, options)
    }

    /// Ends a sign-in with what the provider sent the user back with, and keeps the tokens.
    ///
    /// - Parameter callback: the whole address.
    @discardableResult
    public func complete(
        _ request: AuthorizationRequest, callback: URL
    ) async throws(SignInFailure) -> UserAccount {
        let response = try await provider.tokens(
            request.metadata,
            [
                ("grant_type", "authorization_code"), ("code", try request.code(in: callback)),
                ("redirect_uri", request.redirect), ("code_verifier", request.verifier),
            ])
        return try await keep(response, nonce: request.nonce)
    }

    func checkClientID() throws(SignInFailure) {
        guard !options.clientID.isEmpty else {
            throw .setting("expected a client id, as the provider knows the app by")
        }
    }

    /// Keeps the tokens that a sign-in ends with.
    ///
    /// - Parameter nonce: nil where there was no page to send one to.
    func keep(_ response: TokenResponse, nonce: String?) async throws(SignInFailure) -> UserAccount {
        guard let text = response.idToken else { throw .unexpectedAnswer("expected an ID token with the access token") }
        let now = options.clock.date
        let idToken = try IDToken(
            text, issuer: options.issuer, clientID: options.clientID, nonce: nonce, now: now)
        let account = UserAccount(issuer: options.issuer, subject: idToken.subject)
        let signIn = StoredSignIn(account: account, clientID: options.clientID, tokens: response.tokens(at: now))
        let storage = storage
        try await storing { try await storage.exclusively { try await storage.save(signIn) } }
        return account
    }

    /// Signs out: the tokens are gone from this device, and the provider is asked to end them (RFC 7009).
    @discardableResult
    public func signOut() async throws(SignInFailure) -> Revocation {
        let storage = storage
        let tokens = try await storing {
            try await storage.exclusively {
                // A file that cannot be read has to go all the same.
                let stored = try? await storage.load()
                try await storage.save(nil)
                return stored
            }
        }
        guard let tokens, isOurs(tokens), let refreshToken = tokens.tokens?.refreshToken else { return .notOffered }
        do {
            guard let endpoint = try await provider.metadata().revocation else { return .notOffered }
            try await provider.revoke(refreshToken, endpoint)
            return .done
        } catch {
            return .failed(error)
        }
    }

    /// The tokens that this app has stored for this provider; another provider's are left alone.
    func stored() async throws(SignInFailure) -> StoredSignIn? {
        let storage = storage
        return try await storing { try await storage.load() }.flatMap { isOurs($0) ? $0 : nil }
    }

    func isOurs(_ signIn: StoredSignIn) -> Bool {
        signIn.account.issuer.utf8.elementsEqual(options.issuer.utf8)
            && signIn.clientID.utf8.elementsEqual(options.clientID.utf8)
    }

    /// Does some work on the storage, and says in the words of this module why it failed.
    func storing<Value: Sendable>(
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

/// Whether somebody is signed in.
public enum SignInStatus: Sendable, Hashable {
    /// Nobody is.
    case signedOut
    /// This user is.
    case signedIn(UserAccount)
    /// Somebody was, and the provider wants them to sign in again.
    case signInAgain(UserAccount)
}

/// The result of ending the tokens at the provider when a user signed out. On the device they are gone in any case.
public enum Revocation: Sendable, Hashable {
    /// The provider has ended them.
    case done
    /// There was nothing to end, or the provider offers no way to.
    case notOffered
    /// They may be good for some time yet.
    case failed(SignInFailure)
}
