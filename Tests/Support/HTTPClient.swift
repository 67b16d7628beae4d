internal import AlmanacCCurl
public import AlmanacJSON

/// A blocking HTTPS client like that of an outside program: libcurl, with certificates always checked.
///
/// The client reuses its connection and belongs to one thread. It follows no redirects, stores no cookies and uses no
/// proxies.
@safe public final class HTTPClient {
    // Safe because the handle is made in `init`, never leaves the class, is used by one thread (the class is not
    // Sendable) and is freed in `deinit`.
    private let handle: UnsafeMutableRawPointer
    private let base: String
    private let caFile: String?
    private let token: String?
    private let version: Version
    private let timeout: Duration
    private let decompresses: Bool

    /// Creates a client, which connects with its first request.
    ///
    /// - Parameters:
    ///   - base: scheme, host and port: `https://localhost:8443`.
    ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    ///   - token: sent as `Authorization: Bearer …` with every request that sets no such header itself.
    ///   - timeout: the limit of one whole request.
    ///   - decompresses: offers gzip and other encodings to the server and returns the decoded body. If false, no
    ///     encoding is offered and the body is returned as received.
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

    deinit { unsafe curl_easy_cleanup(handle) }

    /// Sends a request and waits for the complete response.
    ///
    /// - Parameters:
    ///   - method: any word. A response to `HEAD` is expected to have no body.
    ///   - path: path and query, sent byte for byte: not encoded, `..` not resolved.
    ///   - headers: an empty value is sent as a header without a value.
    ///   - contentType: sent with a body unless `headers` contain one; nil sends none.
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

    /// Sends a request whose target and header lines may be any bytes but zero, to test malformed requests.
    ///
    /// - Parameter headerLines: `Name: value`, `Name;` for an empty value, or `Name:` to omit a header that libcurl
    ///   would add.
    public func send(
        method: String, target: [UInt8], headerLines: [[UInt8]] = [], body: [UInt8]? = nil
    ) throws(HTTPFailure) -> HTTPResponse {
        let received = ReceivedResponse()
        let headers = HeaderList(headerLines)
        // Safe because all memory that libcurl gets a pointer to lives until the closures end, which is after
        // curl_easy_perform, and curl_easy_reset clears those pointers before the next request.
        let code = withExtendedLifetime((received, headers)) {
            // The zero byte gives an empty array an address. libcurl reads standard input if the address is null.
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
        precondition(code == CURLE_OK, "libcurl does not support the option: error \(code.rawValue)")
    }

    private static func name(ofVersion version: Int) -> String {
        switch version {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        default: "1.1"
        }
    }

    /// The HTTP versions that the client may use.
    public enum Version: Sendable {
        /// HTTP/2 if the server offers it, otherwise HTTP/1.1.
        case any
        case http11
    }

    // Safe to share because it is made once, before the first handle, as curl_global_init(3) requires.
    private static let library: Void = {
        let code = curl_global_init(Int(CURL_GLOBAL_SSL))
        precondition(code == CURLE_OK, "libcurl did not start")
    }()
}

extension HTTPClient {
    /// Sends a request with a JSON value as its body and waits for the complete response.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], json: JSONValue
    ) throws(HTTPFailure) -> HTTPResponse {
        try send(method, path, headers: headers, body: json.serialized())
    }
}

/// A response under construction: collects the parts that libcurl delivers during a request.
final class ReceivedResponse {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []

    /// Makes libcurl deliver the response to this object, which must outlive the request.
    func attach(to handle: UnsafeMutableRawPointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the object set below, and libcurl's bytes live until this closure returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<ReceivedResponse>.fromOpaque(context!).takeUnretainedValue().receive(
                headerLine: Array(line))
            return size * count
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the object set below, and libcurl's bytes live until this closure returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<ReceivedResponse>.fromOpaque(context!).takeUnretainedValue().body += Array(part)
            return size * count
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    }

    private func receive(headerLine line: [UInt8]) {
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A status line starts a new response, so the headers so far belong to an interim response.
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((name: String(text[..<colon]), value: String(value)))
        }
    }
}

/// A libcurl list of header lines, freed as a whole.
@safe final class HeaderList {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter lines: lines without a zero byte at the end or inside.
    init(_ lines: [[UInt8]]) {
        // By default, libcurl sends this header before a large body and waits a second for the response.
        var list = unsafe curl_slist_append(nil, "Expect:")
        for line in lines {
            unsafe list = (line + [0]).withUnsafeBytes { bytes in
                unsafe curl_slist_append(list, bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
        unsafe first = list
    }

    deinit { unsafe curl_slist_free_all(first) }
}
