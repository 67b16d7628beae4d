internal import AlmanacCCurl

/// What libcurl hands an answer over to, line by line and part by part; a base class for what keeps it.
class AnswerSink {
    /// - Returns: whether to go on.
    func receive(headerLine line: [UInt8]) -> Bool { false }

    /// - Returns: whether to go on.
    func receive(body part: [UInt8]) -> Bool { false }

    /// Makes libcurl hand the answer over to this object, which has to outlive the transfer.
    final func attach(to handle: UnsafeMutableRawPointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            // Safe because the context is the sink given below, and libcurl's bytes live until this returns.
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let sink = unsafe Unmanaged<AnswerSink>.fromOpaque(context!).takeUnretainedValue()
            // Any other count than its own makes libcurl give up.
            return unsafe sink.receive(headerLine: Array(line)) ? line.count : 0
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            // Safe because the context is the sink given below, and libcurl's bytes live until this returns.
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            let sink = unsafe Unmanaged<AnswerSink>.fromOpaque(context!).takeUnretainedValue()
            return unsafe sink.receive(body: Array(part)) ? part.count : 0
        }
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    }
}
