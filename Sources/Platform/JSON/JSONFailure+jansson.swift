internal import AlmanacCJansson

extension JSONFailure {
    /// What jansson reported, in this module's words.
    ///
    /// - Parameters:
    ///   - text: what was parsed.
    ///   - limits: those that the text was parsed with.
    init(_ error: json_error_t, in text: [UInt8], limits: JSONLimits) {
        var error = error
        let code = unsafe json_error_code(&error)
        let message = error.message
        let line = max(1, Int(error.line))
        let column = max(1, Int(error.column))
        switch code {
        case json_error_invalid_utf8:
            // jansson stops before the byte that it cannot decode.
            self = .notUTF8(line: line, column: Int(error.column) + 1)
        case json_error_null_character, json_error_null_byte_in_key:
            self = .nulCharacter(line: line, column: column)
        case json_error_duplicate_key:
            let name = Self.string(endingBy: Int(error.position), in: text)
            self = .duplicateName(name, line: line, column: column)
        case json_error_numeric_overflow:
            self = .numberOutOfRange(line: line, column: column)
        case json_error_stack_overflow:
            self = .tooDeep(limit: min(limits.depth, 2048))
        case json_error_out_of_memory:
            fatalError("out of memory")
        default:
            // Lone surrogates have no code of their own.
            let isLoneSurrogate = message.utf8.starts(with: "invalid Unicode '".utf8)
            self =
                isLoneSurrogate
                ? .loneSurrogate(line: line, column: column)
                : .syntax(line: line, column: column, message: message)
        }
    }

    /// The last string that ends no later than an offset.
    private static func string(endingBy offset: Int, in text: [UInt8]) -> String? {
        var scanner = TokenScanner(text)
        var last: Range<Int>?
        while let token = scanner.next() {
            guard case .string(let range) = token else { continue }
            if range.upperBound > offset { break }
            last = range
        }
        return last.flatMap { try? JSONValue(parsing: Array(text[$0])).stringValue }
    }
}

extension json_error_t {
    fileprivate var message: String {
        // Safe because jansson ends the text with a zero byte inside the field.
        unsafe withUnsafeBytes(of: text) { unsafe String(cString: $0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}
