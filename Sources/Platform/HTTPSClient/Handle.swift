internal import AlmanacCCurl

/// What libcurl keeps of one transfer.
@safe struct Handle: ~Copyable {
    // Safe because both pointers are made in `init`, lent to no one for longer than a call, and freed in `deinit`.
    let pointer: UnsafeMutableRawPointer
    private let complaint: UnsafeMutablePointer<CChar>

    init() {
        libraryIsReady
        guard let pointer = unsafe curl_easy_init() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
        unsafe complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe complaint.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe Self.check(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, complaint))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe complaint.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        Self.check(unsafe ccurl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String?) {
        Self.check(unsafe ccurl_set_text(pointer, option, value))
    }

    /// Lends libcurl a body, which it only keeps the address of.
    func setBody(_ bytes: UnsafeRawBufferPointer) {
        set(CURLOPT_POST, 1)
        unsafe Self.check(ccurl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        let first = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        unsafe Self.check(ccurl_set_pointer(pointer, CURLOPT_POSTFIELDS, first))
    }

    /// Gives libcurl a copy of a body.
    func copyBody(_ bytes: [UInt8]) {
        set(CURLOPT_POST, 1)
        unsafe Self.check(ccurl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        // With a zero byte behind it, because an empty array has no address.
        unsafe (bytes + [0]).withUnsafeBytes { bytes in
            let first = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            unsafe Self.check(ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, first))
        }
    }

    /// Lends libcurl header lines.
    func setHeaders(_ list: borrowing HeaderList) {
        unsafe Self.check(ccurl_set_list(pointer, CURLOPT_HTTPHEADER, list.first))
    }

    var status: Int {
        var status = 0
        Self.check(unsafe ccurl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status))
        return status
    }

    /// What libcurl says of a failure, as one line: its own words where it has some, else what the code means.
    func reason(_ code: CURLcode) -> String {
        // Safe because libcurl ends its text with a zero byte inside the buffer.
        let own = unsafe String(cString: complaint)
        let text = own.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : own
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Until when the server's own certificate is good, as OpenSSL prints it.
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
        precondition(code == CURLE_OK, "libcurl lacks what it is asked for: \(code.rawValue)")
    }
}
