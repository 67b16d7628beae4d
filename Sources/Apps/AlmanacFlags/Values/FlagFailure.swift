internal import AlmanacClientRuntime
internal import Foundation

/// Why the flags could not be fetched. The evaluations that were there before stay.
public enum FlagFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Offline, no such host, no secure connection, or a connection that broke.
    case unreachable(String)
    /// No complete response in time.
    case timedOut
    /// More bytes than allowed.
    case tooLarge(limit: Int)
    /// The token provider has no token until the user signs in.
    case signInRequired
    /// The server refused. After 401 and 403 it is asked again only with another token or context.
    case refused(status: Int, error: FlagError?, retryAfter: Duration?)
    /// The response is not one of OFREP; says what was expected.
    case unexpectedResponse(String)
    /// The response is older than what is here already, within the same history.
    case olderRevision(seen: Int64, received: Int64)
    /// Asking again has to wait, after failures or because the server said so.
    case waiting(Duration)
    /// The task was cancelled, or the transport has ended.
    case cancelled

    /// One line for a log.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tooLarge(let limit): "the answer has more than \(limit) bytes"
        case .signInRequired: "\(SignInRequired())"
        case .refused(let status, let error, _): "the server refused: \(status)\(error.map { " \($0)" } ?? "")"
        case .unexpectedResponse(let expected): "this is not an answer of OFREP: \(expected)"
        case .olderRevision(let seen, let received):
            "revision \(received) is older than \(seen), which is here already"
        case .waiting(let time): "too early to ask again; in \(time)"
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
            case .unreachable, .unread, .unsendable, .tokenInClear: .unreachable("\(failure)")
            }
    }

    /// A response with another status than was asked for.
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

    /// How long the server asks to wait.
    var retryAfter: Duration? { if case .refused(_, _, let time) = self { time } else { nil } }

    /// Whether only another token or another context can change it.
    var isForGood: Bool {
        switch self {
        case .refused(401, _, _), .refused(403, _, _): true
        default: false
        }
    }
}
