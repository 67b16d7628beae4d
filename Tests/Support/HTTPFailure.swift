internal import AlmanacCCurl

/// A request that got no complete answer: nothing listens, the certificate is not trusted, the connection was cut, the
/// time was over.
public struct HTTPFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// libcurl's number, `CURLE_…`.
    public let code: UInt32
    public let description: String

    init(_ code: CURLcode, _ detail: String) {
        self.code = code.rawValue
        description = detail
    }

    /// Whether nothing accepted the connection.
    public var isRefused: Bool { code == CURLE_COULDNT_CONNECT.rawValue }

    /// Whether the time was over before the answer was complete.
    public var isTimeout: Bool { code == CURLE_OPERATION_TIMEDOUT.rawValue }

    /// Whether the server's certificate was not trusted.
    public var isUntrusted: Bool { code == CURLE_PEER_FAILED_VERIFICATION.rawValue }
}
