internal import AlmanacHTTP
public import AlmanacIdentity

/// The dependencies of one environment's notes endpoints.
public struct NotesContext: Sendable {
    let service: NotesService
    private let authenticator: Authenticator

    public init(service: NotesService, authenticator: Authenticator) {
        self.service = service
        self.authenticator = authenticator
    }

    /// The user who sends a request.
    func user(of request: Request) throws(Problem) -> VerifiedUser { try authenticator.user(of: request) }

    /// The same, where a session takes a fresh sign-in.
    func freshUser(of request: Request) throws(Problem) -> VerifiedUser { try authenticator.freshUser(of: request) }
}
