internal import AlmanacCJansson

extension String {
    /// Appends the text as a JSON string with quotes and the necessary escapes.
    func appendQuoted(to bytes: inout [UInt8]) {
        let mustEscape = utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        if mustEscape {
            bytes += quotedByJansson()
        } else {
            bytes.append(UInt8(ascii: "\""))
            bytes += utf8
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private func quotedByJansson() -> [UInt8] {
        let flags = Int(JSON_ENCODE_ANY | JSON_COMPACT)
        let text = utf8.span
        // Safe because the string is freed once, here, and json_dumpb writes no more than the size it is given. A Swift
        // text is valid UTF-8, so jansson refuses it only for want of memory.
        return unsafe text.withUnsafeBytes { text in
            let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let string = unsafe json_stringn(start, text.count) else { fatalError("out of memory") }
            defer { unsafe json_decref(string) }
            let size = unsafe json_dumpb(string, nil, 0, flags)
            return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                    count = unsafe json_dumpb(string, buffer.baseAddress, size, flags)
                }
            }
        }
    }
}
