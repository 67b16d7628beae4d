/// A sender of HTTP requests. Tests and apps may provide their own.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns once the final response's head has arrived. Cancelling the task ends the transfer.
    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream>
}

extension ClientTransport {
    /// Sends a request and waits for the whole response, whatever its status.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        try await open(request).whole(limit: request.byteLimit)
    }
}

/// The reason for which no complete response arrived.
public enum TransportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Connecting failed, the certificate is not trusted, or the response broke off or is not HTTP.
    case unreachable(String)
    /// The server was silent for too long, or the deadline passed.
    case timedOut
    /// The response body is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The server redirected more often than the request allows.
    case redirectedTooOften
    /// A redirect led from HTTPS to another scheme.
    case leftHTTPS
    /// A token would be sent over plain HTTP to another device, where anyone on the network can read it.
    case tokenInClear
    /// The response body arrived faster than the caller read it.
    case readTooSlowly
    /// HTTP cannot carry a part of the request, such as a header with a line break.
    case unsendable(String)
    /// The task was cancelled, or the transport has ended.
    case cancelled

    public var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .timedOut: "no response before the timeout"
        case .tooLarge(let limit): "the response body is longer than \(limit) bytes"
        case .redirectedTooOften: "too many redirects"
        case .leftHTTPS: "expected redirects to stay on https"
        case .tokenInClear:
            "expected an https:// URL; over http://, a token is sent only to localhost, 127.0.0.1 and [::1]"
        case .readTooSlowly: "the response was read too slowly"
        case .unsendable(let part): "\(part) contains characters that HTTP does not allow"
        case .cancelled: "cancelled"
        }
    }
}
