internal import AlmanacCCurl
public import AlmanacTransport

/// A blocking POST to a receiver that somebody else has chosen, which connects only to permitted addresses.
///
/// The check sees the very address of each connection, so another answer of the name server changes nothing. There is
/// no proxy, and redirects are not followed. Of the response, only the head counts.
public struct CheckedPost: Sendable {
    public let url: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// The limit on the duration of the whole transfer.
    public var timeout = Duration.seconds(15)
    /// The only trusted certificate authorities, in PEM; nil trusts those of the system.
    public var caFile: String?

    /// The limit on the response body in bytes, after which the connection is closed.
    private static let responseByteLimit = 64 << 10

    public init(_ url: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Sends the request and returns the head of the response.
    ///
    /// - Parameter permit: Decides about an address of 4 or 16 bytes in network order.
    public func send(
        permit: @escaping @Sendable (_ address: [UInt8]) -> Bool
    ) throws(TransportFailure) -> TransportResponse<Void> {
        var request = TransportRequest("POST", url, headers: headers, body: body, byteLimit: Self.responseByteLimit)
        request.timeout = timeout
        let transfer = try CheckedTransfer(request, caFile: caFile, permit)
        let failure = transfer.failure(transfer.handle.perform())
        // The receiver has processed the request once it answers.
        if let head = transfer.head { return head }
        if let address = transfer.refusedAddress { throw .unreachable("the address \(address) is not allowed") }
        throw failure ?? .unreachable("no response")
    }
}

private final class CheckedTransfer: Transfer {
    private(set) var head: TransportResponse<Void>?
    /// The address of the last refused connection, in hexadecimal.
    private(set) var refusedAddress: String?
    private let permit: @Sendable ([UInt8]) -> Bool

    init(
        _ request: TransportRequest, caFile: String?, _ permit: @escaping @Sendable ([UInt8]) -> Bool
    ) throws(TransportFailure) {
        self.permit = permit
        try super.init(request, caFile: caFile)
        // A proxy would connect in place of this program.
        handle.set(CURLOPT_PROXY, "")
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle.setSocketOpener(context) { context, _, address in
            // Safe because the context is the transfer given above, and libcurl's address lives until this returns.
            let transfer = unsafe Unmanaged<CheckedTransfer>.fromOpaque(context!).takeUnretainedValue()
            return unsafe transfer.open(address!)
        }
    }

    override func begin(_ status: Int, _ headers: HeaderFields) {
        head = TransportResponse(status: status, headers: headers, body: ())
    }

    private func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        // Safe because the function writes at most 16 bytes.
        let count = unsafe ccurl_copy_address(address, &bytes)
        bytes.removeLast(16 - Int(count))
        // After a refusal, no other address of the name is tried: a receiver has only permitted addresses.
        guard refusedAddress == nil, count > 0, permit(bytes) else {
            refusedAddress = bytes.map { String($0, radix: 16) }.joined(separator: ".")
            return CURL_SOCKET_BAD
        }
        return unsafe ccurl_open_socket(address)
    }
}
