internal import AlmanacCCurl
public import AlmanacTransport

/// Asks servers whose identity is proved: certificates and host names are checked (RFC 9110 §4.3.4).
///
/// A request blocks its thread, and goes only where a ``WebAddress`` leads. A proxy is used where the process's
/// environment names one, except on this machine itself. For many requests at once there is ``LibcurlTransport``.
public struct HTTPSClient: Sendable {
    private let caFile: String?
    private let timeout: Duration
    private let byteLimit: Int

    /// - Parameters:
    ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    ///   - timeout: the deadline of a request that names none.
    ///   - byteLimit: the most bytes of a body, where the request does not say.
    public init(caFile: String? = nil, timeout: Duration = .seconds(5), byteLimit: Int = 1 << 20) {
        self.caFile = caFile
        self.timeout = timeout
        self.byteLimit = byteLimit
    }

    public func get(_ address: WebAddress) throws(TransportFailure) -> TransportResponse<[UInt8]> {
        try send(TransportRequest("GET", address.text))
    }

    /// Sends a request and waits for the whole response, whatever its status.
    public func send(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<[UInt8]> {
        guard WebAddress(request.url) != nil else { throw .unsendable("the URL") }
        var request = request
        request.deadline = request.deadline ?? timeout
        request.byteLimit = request.byteLimit ?? byteLimit
        let transfer = try CollectedTransfer(request, caFile: caFile)
        if let failure = transfer.failure(transfer.handle.perform()) { throw failure }
        return transfer.response
    }

    /// Until when the server's own certificate is good, in OpenSSL's words (`Nov 21 09:25:56 2026 GMT`); nil without
    /// TLS.
    ///
    /// Connects and asks for nothing.
    public func certificateExpiry(of address: WebAddress) throws(TransportFailure) -> String? {
        var request = TransportRequest("GET", address.text)
        request.deadline = timeout
        let transfer = try Transfer(request, caFile: caFile)
        transfer.handle.set(CURLOPT_CONNECT_ONLY, 1)
        transfer.handle.set(CURLOPT_CERTINFO, 1)
        let code = transfer.handle.perform()
        if code != CURLE_OK, let failure = transfer.failure(code) { throw failure }
        return transfer.handle.certificateExpiry
    }
}

/// A transfer whose body is kept.
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
