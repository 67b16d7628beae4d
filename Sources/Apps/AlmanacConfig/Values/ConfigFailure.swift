internal import Foundation

/// Why the config could not be fetched or read. The values that were there before stay.
public enum ConfigFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Offline, no such host, no secure connection, or a connection that broke.
    case unreachable(String)
    /// No complete response in time.
    case timedOut
    /// More bytes than allowed.
    case tooLarge(limit: Int)
    /// More redirects than allowed.
    case redirectedTooOften
    /// The token provider has no token until the user signs in.
    case signInRequired
    /// The server refused. `problem` is the last part of its problem document's type: `version-not-released`.
    case refused(status: Int, problem: String?, retryAfter: Duration?)
    /// The response is not that of an Almanac server; says what was expected.
    case unexpectedResponse(String)
    /// The response is older than what is here already, within the same history.
    case olderRevision(seen: Int64, received: Int64)
    /// The response lists the changes of another history than the one that is here.
    case anotherHistory
    /// Asking again has to wait, after failures or because the server said so.
    case waiting(Duration)
    /// A value or document is not JSON of the expected form.
    case invalidValue(String)
    /// The task was cancelled, or the transport has ended.
    case cancelled

    /// One line for a log.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tooLarge(let limit): "the answer has more than \(limit) bytes"
        case .redirectedTooOften: "the server redirects without end"
        case .signInRequired: "\(SignInRequired())"
        case .refused(let status, let problem, _): "the server refused: \(status)\(problem.map { " \($0)" } ?? "")"
        case .unexpectedResponse(let expected): "this is not the answer of an Almanac server: \(expected)"
        case .olderRevision(let seen, let received):
            "revision \(received) is older than \(seen), which is here already"
        case .anotherHistory: "the answer belongs to another history"
        case .waiting(let time): "too early to ask again; in \(time)"
        case .invalidValue(let expected): expected
        case .cancelled: "cancelled"
        }
    }
}

extension ConfigFailure {
    /// The failure that an error of a transport, or of an app's own loader, stands for.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as ConfigFailure: error
            case let error as TransportFailure: ConfigFailure(error)
            case is CancellationError: .cancelled
            case is SignInRequired: .signInRequired
            default: .unreachable("\(error)")
            }
    }

    private init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .redirectedTooOften: .redirectedTooOften
            case .leftHTTPS: .unexpectedResponse("\(failure)")
            case .unreachable, .unread, .unsendable, .tokenInClear: .unreachable("\(failure)")
            }
    }

    /// A response with another status than was asked for.
    init(refusal response: TransportResponse<[UInt8]>, now: Date) {
        struct Problem: Decodable { var type: String }
        let type = (try? JSONDecoder().decode(Problem.self, from: Data(response.body)))?.type
        let prefix = "urn:almanac:problem:"
        let problem = type.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        self = .refused(status: response.status, problem: problem, retryAfter: response.retryAfter(now: now))
    }
}
