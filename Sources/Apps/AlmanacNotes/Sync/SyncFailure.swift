/// Why a device has not come level with the server. Nothing is lost by it: what was not sent is sent next time.
public enum SyncFailure: Error, Sendable, Hashable {
    /// The store was opened without a server.
    case noServer
    /// No answer came, or only part of one.
    case unreachable(String)
    /// Something answered that is no server of this kind, such as the sign-in page of a network.
    case garbled(String)
    /// The access token is missing, has expired or was refused, and there is no newer one.
    case signInNeeded
    /// The server refused, for now or for good; the second part is the problem's type, empty where there is none.
    case refused(status: Int, String)
    /// The server asked to be left alone for so many seconds.
    case askedToWait(seconds: Int)
    /// The server does not have many notes any more that are here: see ``NotesStore/decide(_:)``.
    case decisionNeeded(leaving: Int, of: Int)
    /// The file could not be read or written.
    case file(NotesFileFailure)
}

extension SyncFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noServer: "there is no server"
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .garbled(let what): "something else than the server has answered: \(what)"
        case .signInNeeded: "the server wants its user to sign in"
        case .refused(let status, let problem):
            "the server refused: status \(status)\(problem.isEmpty ? "" : ", \(problem)")"
        case .askedToWait(let seconds): "the server asks to be left alone for \(seconds) s"
        case .decisionNeeded(let leaving, let total):
            "the server does not have \(leaving) of \(total) notes any more, and it is to be said what becomes of them here"
        case .file(let failure): "\(failure)"
        }
    }
}
