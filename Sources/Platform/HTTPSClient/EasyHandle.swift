internal import AlmanacCCurl
internal import AlmanacPOSIX
internal import AlmanacTransport

/// A libcurl easy handle: the state of one transfer.
@safe struct EasyHandle: ~Copyable {
    // Safe because both pointers are made in `init`, lent for one call at a time, and freed in `deinit`.
    let pointer: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>

    init() {
        libraryIsReady
        guard let pointer = unsafe curl_easy_init() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe Self.check(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe errorBuffer.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) { Self.check(unsafe ccurl_set_long(pointer, option, value)) }

    func set(_ option: CURLoption, _ value: String?) { Self.check(unsafe ccurl_set_text(pointer, option, value)) }

    func setBody(_ bytes: [UInt8]) {
        set(CURLOPT_POST, 1)
        unsafe Self.check(ccurl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        // The additional zero byte is needed because an empty array has no address.
        unsafe (bytes + [0]).withUnsafeBytes { bytes in
            let first = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            unsafe Self.check(ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, first))
        }
    }

    /// Sets the length of a body that a callback provides.
    func setUploadBytes(_ bytes: Int) {
        unsafe Self.check(ccurl_set_size(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes)))
    }

    /// Continues a transfer that a callback has paused.
    func resume() { unsafe Self.check(curl_easy_pause(pointer, CURLPAUSE_CONT)) }

    func setHeaders(_ list: borrowing HeaderLines) {
        unsafe Self.check(ccurl_set_list(pointer, CURLOPT_HTTPHEADER, list.first))
    }

    /// Sets the function that opens the socket of each connection.
    func setSocketOpener(_ context: UnsafeMutableRawPointer, _ opener: @escaping curl_opensocket_callback) {
        unsafe Self.check(ccurl_set_socket_opener(pointer, opener, context))
    }

    /// Performs the whole transfer, and blocks until its end.
    func perform() -> CURLcode {
        RunnableThreads.makeWay()
        return unsafe curl_easy_perform(pointer)
    }

    var status: Int {
        var status = 0
        Self.check(unsafe ccurl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status))
        return status
    }

    /// Returns the reason for a failure in one line: libcurl's own message, or else the text for the code.
    func reason(_ code: CURLcode) -> String {
        // Safe because libcurl ends its text with a zero byte inside the buffer.
        let own = unsafe String(cString: errorBuffer)
        let text = own.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : own
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// The expiry date of the server's own certificate, in OpenSSL's format.
    var certificateExpiry: String? {
        // Safe because the list belongs to the handle, and its texts end with zero bytes and are copied.
        guard var line = unsafe ccurl_first_certificate(pointer) else { return nil }
        while true {
            let text = unsafe String(cString: line.pointee.data)
            if let expiry = text.split(separator: ":", maxSplits: 1).last, text.hasPrefix("Expire date:") {
                return String(expiry)
            }
            guard let next = unsafe line.pointee.next else { return nil }
            unsafe line = next
        }
    }

    private static func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl does not support the option: error \(code.rawValue)")
    }
}

/// A list of header lines for libcurl, freed as a whole.
@safe struct HeaderLines: ~Copyable {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `.unsendable` for a method or header with characters that could inject another line.
    init(method: String, _ headers: [(name: String, value: String)]) throws(TransportFailure) {
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isWordByte) else { throw .unsendable("the method") }
        // Without this line, libcurl waits up to a second for permission to send a large body.
        var lines = ["Expect:"]
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWordByte), !value.utf8.contains(where: { $0 < 32 }) else {
                throw .unsendable("the header \(name)")
            }
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        var list: UnsafeMutablePointer<curl_slist>? = nil
        // Safe because libcurl copies the texts, which hold no zero byte but the one at their ends.
        for line in lines { unsafe list = curl_slist_append(list, line) }
        unsafe first = list
    }

    deinit { unsafe curl_slist_free_all(first) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Initialises libcurl once per process, before the first handle (curl_global_init(3)).
let libraryIsReady: Void = {
    ccurl_keep_tls_at_exit()
    let code = curl_global_init(Int(CURL_GLOBAL_SSL))
    precondition(code == CURLE_OK, "libcurl did not start")
}()
