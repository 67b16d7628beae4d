internal import AlmanacCCurl
internal import AlmanacTransport

/// One request over libcurl, and the head of its response; a base class for what becomes of the body.
class Transfer {
    let handle = EasyHandle()
    private let byteLimit: Int?
    private let followsRedirects: Bool
    private let isEncrypted: Bool
    private let lines: HeaderLines
    private var headers = HeaderFields()
    private var hasHead = false
    private var isRedirected = false
    private var headRoom = Transfer.headLimit
    private var received = 0
    /// Why the transfer was broken off from this side.
    private var brokenOff: TransportFailure?

    /// For the heads of one transfer, in bytes.
    private static let headLimit = 256 << 10

    /// - Throws: what HTTP cannot carry.
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

    /// The head of the final response is here.
    func begin(_ status: Int, _ headers: HeaderFields) {}

    /// Takes a part of the body.
    ///
    /// - Returns: whether to go on.
    func take(_ part: [UInt8]) -> Bool { true }

    /// - Returns: false, for libcurl to give up.
    final func breakOff(_ failure: TransportFailure) -> Bool {
        brokenOff = failure
        return false
    }

    /// Why the transfer has failed; nil when a whole response came.
    final func failure(_ code: CURLcode) -> TransportFailure? {
        if let brokenOff { return brokenOff }
        return switch code {
        case CURLE_OK: hasHead ? nil : .unreachable("no answer")
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
        // The server makes sense of the path, which is sent as it is.
        handle.set(CURLOPT_PATH_AS_IS, 1)
        // Signals are for the program, not for a library in one of its threads.
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Otherwise a transfer that is given up waits for the answer to its look-up of the host's address.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.set(CURLOPT_USERAGENT, "Almanac")
        // A proxy's reply to CONNECT is no head of a response.
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if isLoopback { handle.set(CURLOPT_PROXY, "") }
        if let caFile {
            handle.set(CURLOPT_CAINFO, caFile)
            handle.set(CURLOPT_CAPATH, nil)
        }
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(request.silence, .seconds(30)) / .milliseconds(1))))
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(request.silence / .seconds(1))))
        if let deadline = request.deadline {
            handle.set(CURLOPT_TIMEOUT_MS, max(1, Int(deadline / .milliseconds(1))))
        }
        if followsRedirects {
            // Headers of ours with credentials stay with the first origin (CURLOPT_UNRESTRICTED_AUTH is off).
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

    /// Makes libcurl hand the response over to this object, which outlives its handle's last call.
    private func receiveHere() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_sink(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            // Any other count than its own makes libcurl give up.
            return unsafe transfer.receive(headerLine: Array(line)) ? line.count : 0
        }
        unsafe ccurl_set_pointer(handle.pointer, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_sink(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            return unsafe transfer.receive(body: Array(part)) ? part.count : 0
        }
        unsafe ccurl_set_pointer(handle.pointer, CURLOPT_WRITEDATA, context)
    }

    private func receive(headerLine line: [UInt8]) -> Bool {
        // Trailers, which may follow a body, are of no use here.
        guard !hasHead else { return true }
        headRoom -= line.count
        guard headRoom >= 0 else { return breakOff(.tooLarge(limit: Self.headLimit)) }
        guard line == [13, 10] || line == [10] else {
            headers.add(line: line)
            return true
        }
        let status = handle.status
        isRedirected = followsRedirects && [301, 302, 303, 307, 308].contains(status) && headers["Location"] != nil
        // More is to come after an interim response, and after one that libcurl goes on from.
        if status >= 200, !isRedirected {
            hasHead = true
            begin(status, headers)
        }
        return true
    }

    private func receive(body part: [UInt8]) -> Bool {
        received += part.count
        if let byteLimit, received > byteLimit { return breakOff(.tooLarge(limit: byteLimit)) }
        return take(part)
    }
}

extension HeaderFields {
    /// Takes one line as it came, with its end.
    fileprivate mutating func add(line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The status line of a response: what came before belonged to an interim one.
            fields = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}
