/// Why the config could not be fetched or read. The values that were there before stay.
public enum ConfigFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No answer: offline, no such host, no secure connection, or a connection that broke.
    case unreachable(String)
    /// No complete answer in time.
    case timedOut
    /// More bytes than allowed.
    case tooLarge(limit: Int)
    /// More redirects than allowed.
    case redirectedTooOften
    /// The server refused. `problem` is the last part of its problem document's type: `version-not-released`.
    case refused(status: Int, problem: String?, retryAfter: Duration?)
    /// The answer is not that of an Almanac server; says what was expected.
    case unexpectedAnswer(String)
    /// The answer is older than what is here already, within the same history.
    case olderRevision(seen: Int64, answered: Int64)
    /// The answer tells what changed in another history than the one that is here.
    case anotherHistory
    /// Asking again has to wait, after failures or because the server said so.
    case waiting(Duration)
    /// A value or document is not JSON of the expected form.
    case invalidValue(String)

    public var description: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tooLarge(let limit): "the answer has more than \(limit) bytes"
        case .redirectedTooOften: "the server redirects without end"
        case .refused(let status, let problem, _): "the server refused: \(status)\(problem.map { " \($0)" } ?? "")"
        case .unexpectedAnswer(let what): "this is not the answer of an Almanac server: \(what)"
        case .olderRevision(let seen, let answered): "revision \(answered) is older than \(seen), which is here already"
        case .anotherHistory: "the answer belongs to another history"
        case .waiting(let time): "too early to ask again; in \(time)"
        case .invalidValue(let what): what
        }
    }
}
