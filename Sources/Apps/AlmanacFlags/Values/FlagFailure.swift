internal import AlmanacClientRuntime
internal import Foundation

/// A failure to fetch the flags. The current evaluations remain.
public enum FlagFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The device is offline, the host is unknown, TLS failed or the connection broke.
    case unreachable(String)
    /// The response was not complete before the deadline.
    case timedOut
    /// The response exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// The token provider has no token until the user signs in.
    case signInRequired
    /// The server rejected the request. After 401 or 403, the client retries only with another token or context.
    case refused(status: Int, error: FlagError?, retryAfter: Duration?)
    /// The response is not valid OFREP; contains the expected form.
    case unexpectedResponse(String)
    /// The response is older than the current evaluations of the same history.
    case olderRevision(seen: Int64, received: Int64)
    /// The next request must wait for this time because of the backoff or the server's `Retry-After`.
    case retryTooEarly(Duration)
    /// The task was cancelled, or the transport was closed.
    case cancelled

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tooLarge(let limit): "the response has more than \(limit) bytes"
        case .signInRequired: "\(SignInRequired())"
        case .refused(let status, let error, _): "the server refused: \(status)\(error.map { " \($0)" } ?? "")"
        case .unexpectedResponse(let expected): "invalid OFREP response: \(expected)"
        case .olderRevision(let seen, let received):
            "revision \(received) is older than \(seen), which was received before"
        case .retryTooEarly(let time): "too early to fetch again; retry in \(time)"
        case .cancelled: "cancelled"
        }
    }
}

extension FlagFailure {
    init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .redirectedTooOften, .leftHTTPS: .unexpectedResponse("\(failure)")
            case .unreachable, .readTooSlowly, .unsendable, .tokenInClear: .unreachable("\(failure)")
            }
    }

    init(refusal response: TransportResponse<[UInt8]>, now: Date) {
        struct Problem: Decodable {
            var errorCode: String?
            var errorDetails: String?
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
        let error = problem.flatMap { problem in
            problem.errorCode == nil && problem.errorDetails == nil
                ? nil
                : FlagError(
                    code: problem.errorCode.map { FlagError.Code(rawValue: $0) } ?? .general,
                    details: problem.errorDetails ?? "")
        }
        self = .refused(status: response.status, error: error, retryAfter: response.retryAfter(now: now))
    }

    var retryAfter: Duration? { if case .refused(_, _, let time) = self { time } else { nil } }

    /// True if a retry can only succeed with another token or context.
    var isPermanent: Bool {
        switch self {
        case .refused(401, _, _), .refused(403, _, _): true
        default: false
        }
    }
}
