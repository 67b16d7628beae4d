internal import AlmanacHTTP

/// What the notes endpoints of one environment work with.
public struct NotesContext: Sendable {
    let service: NotesService
    private let authority: any AccountAuthority

    public init(service: NotesService, authority: any AccountAuthority) {
        self.service = service
        self.authority = authority
    }

    /// The longest issuer and subject, in bytes; longer ones would not fit the index that finds the account.
    private static let longestName = 1000

    /// The user who sends a request.
    func user(of request: Request) throws(Problem) -> VerifiedUser {
        guard let user = try authority.caller(of: request) else {
            throw Problem(
                .tokenNeeded, "send the user's access token as: Authorization: Bearer …",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
        }
        guard [user.issuer, user.subject].allSatisfy({ (1...Self.longestName).contains($0.utf8.count) }) else {
            throw Problem(
                .tokenRefused, "the token's issuer and subject must have 1 to \(Self.longestName) bytes",
                headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"invalid_token\"")])
        }
        return user
    }
}
