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
    case file(DatabaseFailure)
}
