internal import AlmanacCCurl
public import AlmanacTransport

/// A blocking HTTPS client that verifies certificates and host names (RFC 9110 §4.3.4).
///
/// Only a ``WebAddress`` is accepted. The proxy of the process's environment is used, except for this machine.
/// ``LibcurlTransport`` sends many requests at once.
public struct HTTPSClient: Sendable {
    let caFile: String?
    let timeout: Duration
    private let byteLimit: Int
    let connections = IdleConnections()

    /// - Parameters:
    ///   - caFile: The only trusted certificate authorities, in PEM; nil trusts those of the system.
    ///   - timeout: The default deadline of a request.
    ///   - byteLimit: The default limit on a response body, in bytes.
    public init(caFile: String? = nil, timeout: Duration = .seconds(5), byteLimit: Int = 1 << 20) {
        self.caFile = caFile
        self.timeout = timeout
        self.byteLimit = byteLimit
    }

    public func get(_ address: WebAddress) throws(TransportFailure) -> TransportResponse<[UInt8]> {
        try send(TransportRequest("GET", address.text))
    }

    /// Sends a request and returns the whole response, whatever its status.
    public func send(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<[UInt8]> {
        guard WebAddress(request.url) != nil else { throw .unsendable("the URL") }
        var request = request
        request.timeout = request.timeout ?? timeout
        request.byteLimit = request.byteLimit ?? byteLimit
        let transfer = try CollectedTransfer(request, caFile: caFile)
        if let failure = transfer.failure(transfer.handle.perform()) { throw failure }
        return transfer.response
    }

    /// Returns the expiry date of the server's own certificate in OpenSSL's format (`Nov 21 09:25:56 2026 GMT`), or nil
    /// without TLS. The client connects, but sends no request.
    public func certificateExpiry(of address: WebAddress) throws(TransportFailure) -> String? {
        var request = TransportRequest("GET", address.text)
        request.timeout = timeout
        let transfer = try Transfer(request, caFile: caFile)
        transfer.handle.set(CURLOPT_CONNECT_ONLY, 1)
        transfer.handle.set(CURLOPT_CERTINFO, 1)
        let code = transfer.handle.perform()
        if code != CURLE_OK, let failure = transfer.failure(code) { throw failure }
        return transfer.handle.certificateExpiry
    }
}

private final class CollectedTransfer: Transfer {
    private(set) var response = TransportResponse<[UInt8]>(status: 0, body: [])

    override func begin(_ status: Int, _ headers: HeaderFields) {
        (response.status, response.headers) = (status, headers)
    }

    override func take(_ part: [UInt8]) -> Bool {
        response.body += part
        return true
    }
}
