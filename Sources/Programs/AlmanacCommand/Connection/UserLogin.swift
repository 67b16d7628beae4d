internal import AlmanacClient
internal import AlmanacCryptography
internal import AlmanacSignIn

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The stored sign-in of a user for one environment of a server, in a file that only the user can read.
struct UserLogin: Sendable {
    let storage: FileTokenStorage
    private let transport: AlmanacHTTPTransport

    init(_ address: EnvironmentAddress, _ profile: Profile, profileFile: String?) throws {
        guard let profileFile else {
            throw CommandFailure(
                description: "there is no folder for the sign-in; set HOME, or ALMANAC_PROFILE_FILE to a profile file")
        }
        let folder = profileFile.lastIndex(of: "/").map { String(profileFile[...$0]) } ?? "./"
        // The name contains a hash of the server's address, because a sign-in is sent only to its own server.
        let mark = Hex.encode(Array(SHA256.digest(Array(address.description.utf8)).prefix(8)))
        storage = FileTokenStorage(file: URL(fileURLWithPath: "\(folder)logins/\(address.name)-\(mark).json"))
        transport = AlmanacHTTPTransport(caFile: profile.issuerCAFile.map { URL(fileURLWithPath: $0) })
    }

    /// Returns the stored sign-in; nil if there is none.
    func stored() throws -> StoredSignIn? {
        let storage = storage
        return try blockUntilDone { try await storage.load() }
    }

    /// Returns a session that signs in at a provider, refreshes tokens, and signs out.
    func session(
        issuer: String, clientID: String, scopes: [String] = [], parameters: [(name: String, value: String)] = []
    ) -> SignInSession {
        var options = SignInOptions(issuer: issuer, clientID: clientID, transport: transport)
        options.scopes += scopes
        options.parameters = parameters
        return SignInSession(options, storage: storage)
    }

    func session(of signIn: StoredSignIn) -> SignInSession {
        session(issuer: signIn.account.issuer, clientID: signIn.clientID)
    }

    /// Returns an access token that does not expire soon; nil if nobody has signed in.
    func token() throws -> BearerToken? {
        guard let signIn = try stored() else { return nil }
        let session = session(of: signIn)
        return BearerToken(try blockUntilDone { try await session.accessToken() })
    }
}
