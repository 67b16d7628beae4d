#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SignInSession {
    /// Returns a valid access token and refreshes it if necessary.
    ///
    /// Concurrent callers, also in other processes with the same storage, use a refresh token once. The new refresh
    /// token is stored before a caller receives the new access token.
    ///
    /// - Parameter refused: the token that the server has just rejected, to be replaced.
    /// - Throws: ``SignInRequired`` if the user has to sign in; otherwise ``SignInFailure``, after which a retry may
    ///   succeed.
    public func accessToken(replacing refused: String? = nil) async throws -> String {
        if let tokens = try usable(try await stored(), refused) { return tokens.accessToken }
        let tokens = await refreshing.value {
            do { return .success(try await self.refresh(replacing: refused)) } catch { return .failure(error) }
        }
        guard let tokens else { throw SignInFailure.cancelled }
        return try tokens.get().accessToken
    }

    /// Returns the stored tokens if they can be used; nil if they must be refreshed.
    private func usable(_ stored: StoredSignIn?, _ refused: String?) throws(SignInRequired) -> TokenSet? {
        guard let stored else { throw SignInRequired(.signedOut) }
        guard let tokens = stored.tokens else { throw SignInRequired(.ended) }
        let isRefused = refused.map { $0.utf8.elementsEqual(tokens.accessToken.utf8) } ?? false
        return tokens.isFresh(at: options.clock.date, leeway: options.leeway) && !isRefused ? tokens : nil
    }

    private func refresh(replacing refused: String?) async throws -> TokenSet {
        // The request for the metadata stays outside the lock, so that the lock is held for one request only.
        let metadata: ProviderMetadata
        do { metadata = try await provider.metadata() } catch {
            // Another process may have refreshed the tokens.
            if let tokens = try usable(try await stored(), refused) { return tokens }
            throw error
        }
        do {
            return try await storage.exclusively { try await self.refreshAlone(metadata, refused) }
        } catch let required as SignInRequired {
            throw required
        } catch {
            throw SignInFailure(storing: error)
        }
    }

    /// Refreshes the tokens while this process holds the storage's lock.
    private func refreshAlone(_ metadata: ProviderMetadata, _ refused: String?) async throws -> TokenSet {
        // Another process may have used this refresh token already.
        let stored = try await stored()
        if let tokens = try usable(stored, refused) { return tokens }
        guard var stored, let old = stored.tokens?.refreshToken else {
            try await end(stored)
            throw SignInRequired(.ended)
        }
        let response: TokenResponse
        do throws(SignInFailure) {
            response = try await provider.tokens(metadata, [("grant_type", "refresh_token"), ("refresh_token", old)])
        } catch {
            guard case .refused(_, "invalid_grant") = error else { throw error }
            try await end(stored)
            throw SignInRequired(.ended)
        }
        let tokens = response.tokens(at: options.clock.date, keeping: old)
        if let text = response.idToken {
            let idToken = try IDToken(
                text, issuer: options.issuer, clientID: options.clientID, nonce: nil, now: options.clock.date)
            guard idToken.subject.utf8.elementsEqual(stored.account.subject.utf8) else {
                try await end(stored)
                throw SignInFailure.wrongIDToken("its subject is another user's")
            }
        }
        stored.tokens = tokens
        try await storage.save(stored)
        return tokens
    }

    /// Removes the tokens but keeps the account.
    private func end(_ stored: StoredSignIn?) async throws {
        guard var stored else { return }
        stored.tokens = nil
        try await storage.save(stored)
    }
}
