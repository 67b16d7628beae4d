internal import AlmanacTransport

/// The final answer to a request, whatever its status.
public struct WebAnswer: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// Until when the server's certificate is good, in OpenSSL's words (`Nov 21 09:25:56 2026 GMT`); nil without TLS.
    public let certificateExpiry: String?
    private let headers: HeaderFields

    init(status: Int, headers: HeaderFields, body: [UInt8], certificateExpiry: String?) {
        self.status = status
        self.headers = headers
        self.body = body
        self.certificateExpiry = certificateExpiry
    }

    /// The values of every header of that name, in any case, joined by commas (RFC 9110 §5.3).
    public func header(_ name: String) -> String? { headers[name] }
}
