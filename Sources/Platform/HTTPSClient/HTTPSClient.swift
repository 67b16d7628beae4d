internal import AlmanacCCurl

/// Asks servers that are proved to be who they say: certificates and host names are checked (RFC 9110 §4.3.4).
///
/// A request blocks its thread. Redirects are not followed: where an answer comes from is for the configuration to say,
/// not for a server. A proxy is used where the process's environment names one, except on this machine itself.
public struct HTTPSClient: Sendable {
    private let caFile: String?
    private let timeout: Duration
    private let largestAnswer: Int

    /// - Parameters:
    ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    ///   - timeout: for one whole request, but not for a stream.
    ///   - largestAnswer: headers and body together, in bytes; more is not read.
    public init(caFile: String? = nil, timeout: Duration = .seconds(5), largestAnswer: Int = 1 << 20) {
        self.caFile = caFile
        self.timeout = timeout
        self.largestAnswer = largestAnswer
    }

    /// Fetches a document with GET.
    public func get(_ address: WebAddress) throws(FetchFailure) -> FetchedDocument {
        let handle = Handle()
        let transfer = Transfer(limit: largestAnswer)
        try perform(WebRequest("GET", address), handle, transfer)
        let status = handle.status
        guard status == 200 else { throw .status(status) }
        return FetchedDocument(body: transfer.body, headers: transfer.headers)
    }

    /// Sends a request and waits for the whole answer, whatever its status.
    public func send(_ request: WebRequest) throws(FetchFailure) -> WebAnswer {
        let handle = Handle()
        let transfer = Transfer(limit: largestAnswer)
        try perform(request, handle, transfer)
        return WebAnswer(
            status: handle.status, headers: transfer.headers, body: transfer.body,
            certificateExpiry: handle.certificateExpiry)
    }

    /// Sends a request and hands the body on as it comes, for as long as it comes.
    ///
    /// - Parameters:
    ///   - silence: how long the server may say nothing at all before it is given up; in whole seconds.
    ///   - receive: is given each part of the body of an answer with the status 200, and returns whether to go on.
    /// - Returns: the answer when its body has ended or `receive` would not go on; with a body only when the status is
    ///   not 200.
    public func stream(
        _ request: WebRequest, silence: Duration, _ receive: @escaping ([UInt8]) -> Bool
    ) throws(FetchFailure) -> WebAnswer {
        let handle = Handle()
        let transfer = Transfer(limit: largestAnswer, receive: receive)
        try perform(request, handle, transfer, silence: silence)
        return WebAnswer(
            status: handle.status, headers: transfer.headers, body: transfer.body,
            certificateExpiry: handle.certificateExpiry)
    }

    private func perform(
        _ request: WebRequest, _ handle: borrowing Handle, _ transfer: Transfer, silence: Duration? = nil
    ) throws(FetchFailure) {
        let headers = try HeaderList(method: request.method, request.headers)
        prepare(handle, for: request.address, silence: silence)
        handle.setHeaders(headers)
        // With a zero byte behind it, because an empty array has no address, and without one libcurl reads standard
        // input.
        let body = (request.body ?? []) + [0]
        // Safe because what libcurl keeps the address of, the transfer, the headers and the body, lives until after
        // the transfer.
        let code = withExtendedLifetime(transfer) {
            unsafe body.withUnsafeBytes { bytes in
                if request.body != nil { unsafe handle.setBody(UnsafeRawBufferPointer(rebasing: bytes.dropLast())) }
                if request.method == "HEAD" { handle.set(CURLOPT_NOBODY, 1) }
                handle.set(CURLOPT_CUSTOMREQUEST, request.method)
                unsafe transfer.attach(to: handle.pointer)
                return unsafe curl_easy_perform(handle.pointer)
            }
        }
        _ = consume headers
        if transfer.isTooLarge { throw .tooLarge(limit: largestAnswer) }
        guard code == CURLE_OK || transfer.hasEnough else { throw .unreachable(handle.reason(code)) }
    }

    private func prepare(_ handle: borrowing Handle, for address: WebAddress, silence: Duration?) {
        handle.set(CURLOPT_URL, address.text)
        handle.set(CURLOPT_PROTOCOLS_STR, address.isEncrypted ? "https" : "http")
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        handle.set(CURLOPT_CERTINFO, 1)
        // Signals are for the program, not for a library in one of its threads.
        handle.set(CURLOPT_NOSIGNAL, 1)
        if let silence {
            handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(timeout / .milliseconds(1)))
            handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
            handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(silence / .seconds(1))))
        } else {
            handle.set(CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1)))
        }
        handle.set(CURLOPT_USERAGENT, "Almanac")
        // What a path says is for the server to make sense of.
        handle.set(CURLOPT_PATH_AS_IS, 1)
        if !address.isEncrypted { handle.set(CURLOPT_PROXY, "") }
        if let caFile {
            handle.set(CURLOPT_CAINFO, caFile)
            handle.set(CURLOPT_CAPATH, nil)
        }
    }
}
