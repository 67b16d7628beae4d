internal import Foundation

/// A failure to fetch or read the config. The current values remain.
public enum ConfigFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The device is offline, the host is unknown, TLS failed or the connection broke.
    case unreachable(String)
    /// The response was not complete before the deadline.
    case timedOut
    /// The response exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// The server redirected the request too many times.
    case redirectedTooOften
    /// The token provider has no token until the user signs in.
    case signInRequired
    /// The server rejected the request. `problem` is the last part of the problem type, such as `version-not-released`.
    case refused(status: Int, problem: String?, retryAfter: Duration?)
    /// The response is not from an Almanac server; contains the expected form.
    case unexpectedResponse(String)
    /// The response is older than the current config of the same history.
    case olderRevision(seen: Int64, received: Int64)
    /// The response contains changes of another history.
    case wrongHistory
    /// The next request must wait for this time because of the backoff or the server's `Retry-After`.
    case retryTooEarly(Duration)
    /// A value or document is not JSON of the expected form.
    case invalidValue(String)
    /// The task was cancelled, or the transport was closed.
    case cancelled

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tooLarge(let limit): "the response has more than \(limit) bytes"
        case .redirectedTooOften: "the server redirects too often"
        case .signInRequired: "\(SignInRequired())"
        case .refused(let status, let problem, _): "the server refused: \(status)\(problem.map { " \($0)" } ?? "")"
        case .unexpectedResponse(let expected): "unexpected response, not from an Almanac server: \(expected)"
        case .olderRevision(let seen, let received):
            "revision \(received) is older than \(seen), which was received before"
        case .wrongHistory: "the response belongs to another history"
        case .retryTooEarly(let time): "too early to fetch again; retry in \(time)"
        case .invalidValue(let expected): expected
        case .cancelled: "cancelled"
        }
    }
}

extension ConfigFailure {
    /// Converts an error of a transport or of an app's own loader.
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
            case .unreachable, .readTooSlowly, .unsendable, .tokenInClear: .unreachable("\(failure)")
            }
    }

    init(refusal response: TransportResponse<[UInt8]>, now: Date) {
        struct Problem: Decodable { var type: String }
        let type = (try? JSONDecoder().decode(Problem.self, from: Data(response.body)))?.type
        let prefix = "urn:almanac:problem:"
        let problem = type.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        self = .refused(status: response.status, problem: problem, retryAfter: response.retryAfter(now: now))
    }
}
