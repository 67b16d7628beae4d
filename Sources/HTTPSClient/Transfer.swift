internal import CCurl

/// What libcurl hands over of one answer, as far as there is room for it.
final class Transfer {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private(set) var isTooLarge = false
    private var room: Int

    /// - Parameter limit: how much may arrive, headers and body together, in bytes.
    init(limit: Int) {
        room = limit
    }

    /// Makes libcurl hand the answer over to this object, which has to outlive the transfer.
    func attach(to handle: UnsafeMutableRawPointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            // Any other count than its own makes libcurl give up.
            return unsafe transfer.receive(headerLine: Array(line)) ? line.count : 0
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            return unsafe transfer.receive(body: Array(part)) ? part.count : 0
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    }

    private func receive(headerLine line: [UInt8]) -> Bool {
        guard hasRoom(for: line) else { return false }
        let text = String(decoding: line.filter { $0 != 13 && $0 != 10 }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The status line of an answer: what came before belonged to an interim one.
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((name: String(text[..<colon]), value: String(value)))
        }
        return true
    }

    private func receive(body part: [UInt8]) -> Bool {
        guard hasRoom(for: part) else { return false }
        body += part
        return true
    }

    private func hasRoom(for bytes: [UInt8]) -> Bool {
        room -= bytes.count
        if room < 0 { isTooLarge = true }
        return !isTooLarge
    }
}
