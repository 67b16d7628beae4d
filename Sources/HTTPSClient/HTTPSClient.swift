internal import CCurl

/// Fetches small documents from servers that are proved to be who they say: certificates and host names are checked
/// (RFC 9110 §4.3.4).
///
/// A fetch blocks its thread. Redirects are not followed: where an answer comes from is for the configuration to say,
/// not for a server. A proxy is used where the process's environment names one, except on this machine itself.
public struct HTTPSClient: Sendable {
    private let caFile: String?
    private let timeout: Duration
    private let largestAnswer: Int

    /// - Parameters:
    ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    ///   - timeout: for one whole fetch.
    ///   - largestAnswer: headers and body together, in bytes; more is not read.
    public init(caFile: String? = nil, timeout: Duration = .seconds(5), largestAnswer: Int = 1 << 20) {
        self.caFile = caFile
        self.timeout = timeout
        self.largestAnswer = largestAnswer
    }

    /// Fetches a document with GET.
    public func get(_ address: WebAddress) throws(FetchFailure) -> FetchedDocument {
        _ = Self.library
        let handle = Handle()
        let transfer = Transfer(limit: largestAnswer)
        prepare(handle, for: address)
        // Safe because the handle and the transfer, which libcurl keeps the address of, live until after the transfer.
        let code = withExtendedLifetime(transfer) {
            unsafe transfer.attach(to: handle.pointer)
            return unsafe curl_easy_perform(handle.pointer)
        }
        if transfer.isTooLarge { throw .tooLarge(limit: largestAnswer) }
        guard code == CURLE_OK else { throw .unreachable(unsafe String(cString: curl_easy_strerror(code))) }
        let status = handle.status
        guard status == 200 else { throw .status(status) }
        return FetchedDocument(body: transfer.body, headers: transfer.headers)
    }

    private func prepare(_ handle: borrowing Handle, for address: WebAddress) {
        handle.set(CURLOPT_URL, address.text)
        handle.set(CURLOPT_PROTOCOLS_STR, address.isEncrypted ? "https" : "http")
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Signals are for the program, not for a library in one of its threads.
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1)))
        handle.set(CURLOPT_USERAGENT, "Almanac")
        if !address.isEncrypted { handle.set(CURLOPT_PROXY, "") }
        if let caFile {
            handle.set(CURLOPT_CAINFO, caFile)
            handle.set(CURLOPT_CAPATH, nil)
        }
    }

    // Safe to share because it is made once, before the first handle, as curl_global_init(3) wants it.
    private static let library: Void = {
        let code = curl_global_init(Int(CURL_GLOBAL_SSL))
        precondition(code == CURLE_OK, "libcurl did not start")
    }()
}

/// What libcurl keeps of one transfer.
@safe private struct Handle: ~Copyable {
    // Safe because the pointer is made in `init`, lent to no one for longer than a call, and freed in `deinit`.
    let pointer: UnsafeMutableRawPointer

    init() {
        guard let pointer = unsafe curl_easy_init() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
    }

    func set(_ option: CURLoption, _ value: Int) {
        Self.check(unsafe ccurl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String?) {
        Self.check(unsafe ccurl_set_text(pointer, option, value))
    }

    var status: Int {
        var status = 0
        Self.check(unsafe ccurl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status))
        return status
    }

    private static func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl lacks what it is asked for: \(code.rawValue)")
    }
}
