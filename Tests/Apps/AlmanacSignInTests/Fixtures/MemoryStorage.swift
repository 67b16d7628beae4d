import AlmanacSignIn
import Foundation

/// A storage that holds a sign-in in memory.
actor MemoryStorage: TokenStorage {
    private(set) var stored: StoredSignIn?

    init(_ stored: StoredSignIn? = nil) { self.stored = stored }

    func load() -> StoredSignIn? { stored }
    func save(_ signIn: StoredSignIn?) { stored = signIn }
}

extension StoredSignIn {
    /// Returns a sign-in whose access token expires at a time, in seconds since 1970.
    static func alice(expiresAt: Double, refreshToken: String? = "refresh-0") -> StoredSignIn {
        StoredSignIn(
            account: UserAccount(issuer: ScriptedProvider.issuer, subject: "alice"), clientID: "notes-app",
            tokens: TokenSet(
                accessToken: "access-0", expiresAt: Date(timeIntervalSince1970: expiresAt), refreshToken: refreshToken))
    }
}
