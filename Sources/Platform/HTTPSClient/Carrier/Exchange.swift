internal import AlmanacCCurl
internal import AlmanacTransport

/// A transfer under way, on the one thread that carries it.
final class Exchange: AnswerSink {
    let id: UInt64
    let handle = Handle()
    private let request: TransportRequest
    private let lines: HeaderList
    private let isEncrypted: Bool
    private let body: ByteStream.Continuation
    /// Nil once the head is handed over.
    private var head: CheckedContinuation<TransportResponse<ByteStream>, any Error>?
    /// Nil once it is handed over, so that the receiver's letting go of it is noticed.
    private var stream: ByteStream?
    private var fields = HeaderFields()
    private var headRoom = Exchange.headLimit
    private var received = 0
    private var isRedirected = false
    /// Why the transfer was broken off from this side.
    private var failure: TransportFailure?

    /// For the heads of one exchange, in bytes.
    private static let headLimit = 256 << 10

    /// - Throws: what HTTP cannot carry; the order is not answered then.
    init(_ order: ExchangeOrder, caFile: String?) throws(TransportFailure) {
        request = order.request
        guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLParts(request.url),
            ["http", "https"].contains(parts.scheme)
        else { throw .unsendable("the URL") }
        do throws(FetchFailure) {
            lines = try HeaderList(method: request.method, request.headers)
        } catch {
            throw .unsendable("\(error)")
        }
        (id, head, stream, body) = (order.id, order.head, order.stream, order.body)
        isEncrypted = parts.scheme == "https"
        super.init()
        prepare(isLoopback: parts.isLoopback, caFile)
        unsafe attach(to: handle.pointer)
    }

    private func prepare(isLoopback: Bool, _ caFile: String?) {
        handle.set(CURLOPT_URL, request.url)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.set(CURLOPT_USERAGENT, "Almanac")
        // Every encoding that libcurl can undo.
        handle.set(CURLOPT_ACCEPT_ENCODING, "")
        // What a proxy on the way says is no head of an answer.
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
        if request.redirectLimit > 0 {
            // Headers of ours with credentials stay with the first origin (CURLOPT_UNRESTRICTED_AUTH is off).
            handle.set(CURLOPT_FOLLOWLOCATION, 1)
            handle.set(CURLOPT_MAXREDIRS, request.redirectLimit)
            handle.set(CURLOPT_REDIR_PROTOCOLS_STR, isEncrypted ? "https" : "http,https")
        }
        handle.setHeaders(lines)
        if let body = request.body { handle.copyBody(body) }
        switch request.method {
        case "HEAD": handle.set(CURLOPT_NOBODY, 1)
        case "GET" where request.body == nil: break
        default: handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    override func receive(headerLine line: [UInt8]) -> Bool {
        // What follows a body, trailers, is of no use to anyone here.
        guard head != nil else { return true }
        headRoom -= line.count
        guard headRoom >= 0 else { return breakOff(.tooLarge(limit: Self.headLimit)) }
        guard line == [13, 10] || line == [10] else {
            fields.add(line: line)
            return true
        }
        let status = handle.status
        isRedirected = request.redirectLimit > 0 && Self.isRedirect(status) && fields["Location"] != nil
        // More is to come after an interim answer, and after one that libcurl goes on from.
        if status >= 200, !isRedirected { handOver(status) }
        return true
    }

    override func receive(body part: [UInt8]) -> Bool {
        received += part.count
        if let limit = request.byteLimit, received > limit { return breakOff(.tooLarge(limit: limit)) }
        if case .dropped = body.yield(part) { return breakOff(.unread) }
        return true
    }

    /// Tells whoever waits that the transfer is over.
    func end(_ code: CURLcode) {
        finish(code == CURLE_OK ? nil : failure ?? reason(code))
    }

    /// Tells whoever waits that nothing more comes.
    func cancel() {
        finish(.cancelled)
    }

    private func finish(_ failure: TransportFailure?) {
        head?.resume(throwing: failure ?? .unreachable("no answer"))
        head = nil
        body.finish(throwing: failure)
    }

    private func handOver(_ status: Int) {
        guard let head, let stream else { return }
        (self.head, self.stream) = (nil, nil)
        head.resume(returning: TransportResponse<ByteStream>(status: status, headers: fields, body: stream))
    }

    private func breakOff(_ failure: TransportFailure) -> Bool {
        self.failure = failure
        return false
    }

    private func reason(_ code: CURLcode) -> TransportFailure {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_TOO_MANY_REDIRECTS: .redirectedTooOften
        case CURLE_UNSUPPORTED_PROTOCOL where isRedirected && isEncrypted: .leftHTTPS
        default: .unreachable(handle.reason(code))
        }
    }

    private static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }
}
