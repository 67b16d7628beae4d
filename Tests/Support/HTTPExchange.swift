internal import AlmanacCCurl

/// What libcurl hands over while a request is under way, gathered until the answer is complete.
final class HTTPExchange {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []

    /// Makes libcurl hand the answer over to this object, which has to outlive the request.
    func attach(to handle: UnsafeMutableRawPointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the exchange given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue().receive(headerLine: Array(line))
            return size * count
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the exchange given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            unsafe Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue().body += Array(part)
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
