internal import AlmanacHTTP
public import AlmanacIdentity

/// The dependencies of one environment's notes endpoints.
public final class NotesContext: Sendable {
    let service: NotesService
    private let authenticator: Authenticator

    public init(service: NotesService, authenticator: Authenticator) {
        self.service = service
        self.authenticator = authenticator
    }

    func user(of request: Request) throws(Problem) -> VerifiedUser { try authenticator.user(of: request) }

    /// Returns the user who sends a request. A session needs a fresh sign-in.
    func freshUser(of request: Request) throws(Problem) -> VerifiedUser { try authenticator.freshUser(of: request) }
}
