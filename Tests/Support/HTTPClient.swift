internal import AlmanacCCurl
public import AlmanacJSON

/// A blocking client for HTTPS, as a program outside would use it: libcurl, with certificates always checked.
///
/// It keeps its connection between requests and belongs to one thread. Redirects are not followed, cookies not kept,
/// proxies not used.
@safe public final class HTTPClient {
    // Safe because the handle is made in `init`, never leaves the class, is used by one thread (the class is not
    // Sendable) and freed in `deinit`.
    private let handle: UnsafeMutableRawPointer
    private let base: String
    private let caFile: String?
    private let token: String?
    private let version: Version
    private let timeout: Duration
    private let decompresses: Bool

    /// Makes a client; connects with the first request.
    ///
    /// - Parameters:
    ///   - base: scheme, host and port: `https://localhost:8443`.
    ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    ///   - token: sent as `Authorization: Bearer …` with every request that has no such header of its own.
    ///   - timeout: for one whole request.
    ///   - decompresses: offers gzip and the like to the server and hands out the plain body. Without it nothing is
    ///     offered, and a body is handed out as it came.
    public init(
        base: String, caFile: String?, token: String? = nil, version: Version = .any, timeout: Duration = .seconds(30),
        decompresses: Bool = false
    ) {
        _ = Self.library
        guard let handle = unsafe curl_easy_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.handle = handle
        self.base = base
        self.caFile = caFile
        self.token = token
        self.version = version
        self.timeout = timeout
        self.decompresses = decompresses
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - method: any word; `HEAD` expects no body.
    ///   - path: path and query, sent byte for byte: not encoded, `..` not resolved.
    ///   - headers: an empty value is sent as a header without a value.
    ///   - contentType: sent with a body unless `headers` have one; nil sends none.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        contentType: String? = "application/json"
    ) throws(HTTPFailure) -> HTTPResponse {
        var lines = headers.map { name, value in Array((value.isEmpty ? "\(name);" : "\(name): \(value)").utf8) }
        let names = Set(headers.map { $0.0.lowercased() })
        if let token, !names.contains("authorization") {
            lines.append(Array("Authorization: Bearer \(token)".utf8))
        }
        if body != nil, !names.contains("content-type") {
            lines.append(Array("Content-Type:\(contentType.map { " " + $0 } ?? "")".utf8))
        }
        return try send(method: method, target: Array(path.utf8), headerLines: lines, body: body)
    }

    /// Sends a request whose target and header lines are any bytes but zero, for tests of malformed ones.
    ///
    /// - Parameter headerLines: `Name: value`; `Name;` for an empty value; `Name:` leaves out what libcurl would add.
    public func send(
        method: String, target: [UInt8], headerLines: [[UInt8]] = [], body: [UInt8]? = nil
    ) throws(HTTPFailure) -> HTTPResponse {
        let received = ReceivedResponse()
        let headers = HeaderList(headerLines)
        // Safe because everything that libcurl is given the address of lives until the end of the closures, after
        // curl_easy_perform, and curl_easy_reset makes it forget those addresses before the next request.
        let code = withExtendedLifetime((received, headers)) {
            // With a zero byte behind it, because an empty array has no address, and without one libcurl reads
            // standard input.
            unsafe ((body ?? []) + [0]).withUnsafeBytes { bytes in
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast())
                unsafe prepare(method: method, target: target, body: body == nil ? nil : bytes)
                unsafe check(ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers.first))
                unsafe received.attach(to: handle)
                return unsafe curl_easy_perform(handle)
            }
        }
        guard code == CURLE_OK else {
            throw HTTPFailure(code, unsafe "\(method) \(base): \(String(cString: curl_easy_strerror(code)))")
        }
        return HTTPResponse(
            status: long(CURLINFO_RESPONSE_CODE), headers: received.headers, body: received.body,
            httpVersion: Self.name(ofVersion: long(CURLINFO_HTTP_VERSION)))
    }

    private func prepare(method: String, target: [UInt8], body: UnsafeRawBufferPointer?) {
        unsafe curl_easy_reset(handle)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1)))
        set(CURLOPT_PROXY, "")
        set(CURLOPT_URL, base)
        if let caFile {
            set(CURLOPT_CAINFO, caFile)
            set(CURLOPT_CAPATH, nil)
        }
        if decompresses { set(CURLOPT_ACCEPT_ENCODING, "") }
        let versions = version == .any ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        set(CURLOPT_HTTP_VERSION, Int(versions))
        if let body = unsafe body {
            set(CURLOPT_POST, 1)
            unsafe check(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            let first = unsafe UnsafeMutableRawPointer(mutating: body.baseAddress)
            unsafe check(ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, first))
        }
        if method == "HEAD" { set(CURLOPT_NOBODY, 1) }
        set(CURLOPT_CUSTOMREQUEST, method)
        unsafe (target + [0]).withUnsafeBytes { bytes in
            let text = unsafe bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            unsafe check(ccurl_set_text(handle, CURLOPT_REQUEST_TARGET, text))
        }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe check(ccurl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) {
        unsafe check(ccurl_set_text(handle, option, value))
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe check(ccurl_get_long(handle, info, &value))
        return value
    }

    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl lacks what it is asked for: \(code.rawValue)")
    }

    private static func name(ofVersion version: Int) -> String {
        switch version {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        default: "1.1"
        }
    }

    /// Which versions of HTTP may be spoken.
    public enum Version: Sendable {
        /// HTTP/2 where the server offers it, else HTTP/1.1.
        case any
        case http11
    }

    // Safe to share because it is made once, before the first handle, as curl_global_init(3) wants it.
    private static let library: Void = {
        let code = curl_global_init(Int(CURL_GLOBAL_SSL))
        precondition(code == CURLE_OK, "libcurl did not start")
    }()
}

extension HTTPClient {
    /// Sends a request with a JSON value as its body and waits for the whole answer.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], json: JSONValue
    ) throws(HTTPFailure) -> HTTPResponse {
        try send(method, path, headers: headers, body: json.serialized())
    }
}

/// The parts that libcurl hands over while a request is under way, gathered until the answer is complete.
final class ReceivedResponse {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []

    /// Makes libcurl hand the answer over to this object, which has to outlive the request.
    func attach(to handle: UnsafeMutableRawPointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the object given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<ReceivedResponse>.fromOpaque(context!).takeUnretainedValue().receive(
                headerLine: Array(line))
            return size * count
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the object given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<ReceivedResponse>.fromOpaque(context!).takeUnretainedValue().body += Array(part)
            return size * count
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    }

    private func receive(headerLine line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The status line of an answer: what came before belonged to an interim one.
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}

/// Header lines as libcurl takes them, freed together.
@safe final class HeaderList {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter lines: without the zero byte at the end, and with none inside.
    init(_ lines: [[UInt8]]) {
        // libcurl would ask before it sends a large body, and wait a second for the answer.
        var list = unsafe curl_slist_append(nil, "Expect:")
        for line in lines {
            unsafe list = (line + [0]).withUnsafeBytes { bytes in
                unsafe curl_slist_append(list, bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
        unsafe first = list
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }
}
