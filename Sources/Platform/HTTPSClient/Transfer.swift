internal import AlmanacCCurl
internal import AlmanacTransport

/// A request over libcurl and the head of its response. Subclasses receive the body.
class Transfer {
    let handle = EasyHandle()
    private let byteLimit: Int?
    private let followsRedirects: Bool
    private let isEncrypted: Bool
    private let lines: HeaderLines
    private var headers = HeaderFields()
    private var hasHead = false
    private var isRedirected = false
    private var remainingHeadBytes = Transfer.headLimit
    private var received = 0
    /// The reason for which this side aborted the transfer.
    private var abortFailure: TransportFailure?

    /// The limit on all response heads of one transfer, in bytes.
    private static let headLimit = 256 << 10

    /// - Throws: `.unsendable` for a request that HTTP cannot carry.
    init(_ request: TransportRequest, caFile: String?) throws(TransportFailure) {
        guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLParts(request.url),
            ["http", "https"].contains(parts.scheme)
        else { throw .unsendable("the URL") }
        lines = try HeaderLines(method: request.method, request.headers)
        byteLimit = request.byteLimit
        followsRedirects = request.redirectLimit > 0
        isEncrypted = parts.scheme == "https"
        prepare(request, isLoopback: parts.isLoopback, caFile)
        receiveHere()
    }

    func begin(_ status: Int, _ headers: HeaderFields) {}

    /// Receives a part of the body. Returns true to continue the transfer.
    func take(_ part: [UInt8]) -> Bool { true }

    /// Records a failure. Returns false, which makes libcurl abort.
    final func abort(_ failure: TransportFailure) -> Bool {
        abortFailure = failure
        return false
    }

    /// Returns the failure of the transfer, or nil after a complete response.
    final func failure(_ code: CURLcode) -> TransportFailure? {
        if let abortFailure { return abortFailure }
        return switch code {
        case CURLE_OK: hasHead ? nil : .unreachable("no response")
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_TOO_MANY_REDIRECTS: .redirectedTooOften
        case CURLE_UNSUPPORTED_PROTOCOL where isRedirected && isEncrypted: .leftHTTPS
        default: .unreachable(handle.reason(code))
        }
    }

    private func prepare(_ request: TransportRequest, isLoopback: Bool, _ caFile: String?) {
        handle.set(CURLOPT_URL, request.url)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // The server interprets the path, so it is sent unchanged.
        handle.set(CURLOPT_PATH_AS_IS, 1)
        // A library on another thread must not change the program's signal handling.
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Without this option, an aborted transfer waits for the DNS response.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.set(CURLOPT_USERAGENT, "Almanac")
        // A proxy's response to CONNECT is not the head of the final response.
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if isLoopback { handle.set(CURLOPT_PROXY, "") }
        if let caFile {
            handle.set(CURLOPT_CAINFO, caFile)
            handle.set(CURLOPT_CAPATH, nil)
        }
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(request.idleTimeout, .seconds(30)) / .milliseconds(1))))
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(request.idleTimeout / .seconds(1))))
        if let deadline = request.timeout {
            handle.set(CURLOPT_TIMEOUT_MS, max(1, Int(deadline / .milliseconds(1))))
        }
        if followsRedirects {
            // libcurl sends headers with credentials only to the first origin (CURLOPT_UNRESTRICTED_AUTH is off).
            handle.set(CURLOPT_FOLLOWLOCATION, 1)
            handle.set(CURLOPT_MAXREDIRS, request.redirectLimit)
            handle.set(CURLOPT_REDIR_PROTOCOLS_STR, isEncrypted ? "https" : "http,https")
        }
        handle.setHeaders(lines)
        if let body = request.body { handle.setBody(body) }
        switch request.method {
        case "HEAD": handle.set(CURLOPT_NOBODY, 1)
        case "GET" where request.body == nil: break
        default: handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    /// Registers this object as the receiver of the response. It outlives the last call of its handle.
    private func receiveHere() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_callback(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            // Any other count makes libcurl abort.
            return unsafe transfer.receive(headerLine: Array(line)) ? line.count : 0
        }
        unsafe ccurl_set_pointer(handle.pointer, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_callback(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            return unsafe transfer.receive(body: Array(part)) ? part.count : 0
        }
        unsafe ccurl_set_pointer(handle.pointer, CURLOPT_WRITEDATA, context)
    }

    private func receive(headerLine line: [UInt8]) -> Bool {
        // Trailers, which may follow a body, are ignored.
        guard !hasHead else { return true }
        remainingHeadBytes -= line.count
        guard remainingHeadBytes >= 0 else { return abort(.tooLarge(limit: Self.headLimit)) }
        guard line == [13, 10] || line == [10] else {
            headers.add(line: line)
            return true
        }
        let status = handle.status
        isRedirected = followsRedirects && [301, 302, 303, 307, 308].contains(status) && headers["Location"] != nil
        // Another head follows an interim response and a followed redirect.
        if status >= 200, !isRedirected {
            hasHead = true
            begin(status, headers)
        }
        return true
    }

    private func receive(body part: [UInt8]) -> Bool {
        received += part.count
        if let byteLimit, received > byteLimit { return abort(.tooLarge(limit: byteLimit)) }
        return take(part)
    }
}

extension HeaderFields {
    /// Adds one raw header line, which includes its line break.
    fileprivate mutating func add(line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A status line begins a new head, so drop the fields of the previous one.
            fields = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}
