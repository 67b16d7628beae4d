extension JSONValue {
    /// Reads one JSON text: a value of any type, white space around it, nothing else.
    ///
    /// Size and depth are checked before anything is allocated. Stricter than RFC 8259 asks for: names are unique,
    /// numbers fit a double, and strings are texts that PostgreSQL can hold.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONFailure) {
        try bytes.checkBeforeParsing(limits)
        let tree = try JanssonTree(parsing: bytes, limits: limits)
        self = try tree.value(writtenAs: bytes)
    }
}

extension [UInt8] {
    fileprivate func checkBeforeParsing(_ limits: JSONLimits) throws(JSONFailure) {
        if count > limits.bytes { throw .tooLarge(limit: limits.bytes) }
        if starts(with: [0xEF, 0xBB, 0xBF]) {
            throw .syntax(line: 1, column: 1, message: "the text starts with a byte order mark; leave it out")
        }
        if allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { throw .empty }
        if let offset = firstIndex(of: 0) {
            let position = TextPosition(of: offset, in: self)
            throw .nulCharacter(line: position.line, column: position.column)
        }
        var scanner = TokenScanner(self)
        var depth = 0
        while let token = scanner.next() {
            switch token {
            case .opening: depth += 1
            case .closing: depth -= 1
            case .comma, .string, .number: continue
            }
            if depth > limits.depth { throw .tooDeep(limit: limits.depth) }
        }
    }
}
