/// A way for HTTP requests to servers and for their responses back. Tests and apps may bring their own.
public protocol ClientTransport: Sendable {
    /// Returns when the head of the final response is here. Cancelling the task ends the exchange.
    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream>
}

extension ClientTransport {
    /// Sends a request and waits for the whole response, whatever its status.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        try await open(request).whole(limit: request.byteLimit)
    }
}

/// Why no whole response came.
public enum TransportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// No such host, nothing listens, a certificate that is not trusted, a response that broke off or is not HTTP.
    case unreachable(String)
    /// The server was silent for too long, or the deadline has passed.
    case timedOut
    /// - limit: in bytes.
    case tooLarge(limit: Int)
    /// More redirects came than the request follows.
    case redirectedTooOften
    /// A redirect led from HTTPS to something else.
    case leftHTTPS
    /// A token would have gone over HTTP to another device, where everybody on the way could read it.
    case tokenInClear
    /// The response was not read as fast as it came.
    case unread
    /// A part of the request that HTTP cannot carry, such as a header with a line break.
    case unsendable(String)
    /// The task was cancelled, or the transport has ended.
    case cancelled

    public var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .timedOut: "no answer in time"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .redirectedTooOften: "too many redirects"
        case .leftHTTPS: "expected redirects to stay on https"
        case .tokenInClear:
            "expected an https:// URL: over http:// a token goes to localhost, 127.0.0.1 and [::1] alone"
        case .unread: "the answer came faster than it was read"
        case .unsendable(let part): "\(part) holds what HTTP cannot carry"
        case .cancelled: "cancelled"
        }
    }
}
