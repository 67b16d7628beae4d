/// A strict pull parser for JSON (RFC 8259) that works in one pass.
///
/// No other JSON parser is available on every platform of the libraries and preserves the digits of numbers, U+0000 in
/// texts, and duplicate names.
package struct JSONReader {
    /// The default limit on the nesting depth of arrays and objects.
    package static let defaultMaxDepth = 128

    private let bytes: ArraySlice<UInt8>
    package private(set) var position: Int
    private var depth = 0
    private let maxDepth: Int

    package init(_ bytes: ArraySlice<UInt8>, maxDepth: Int = defaultMaxDepth) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        position = bytes.startIndex
    }

    package func fault(_ expected: String, isMalformed: Bool = true) -> JSONFault {
        JSONFault(expected: expected, offset: position - bytes.startIndex, isMalformed: isMalformed)
    }

    /// Skips white space and returns the first byte of the next value, or nil at the end.
    package mutating func start() -> UInt8? {
        skipSpace()
        return peek
    }

    /// Checks that only white space follows.
    package mutating func end() throws(JSONFault) { if start() != nil { throw fault("nothing after the value") } }

    /// Opens an array or an object, before its first element or member.
    package mutating func open(_ bracket: Unicode.Scalar) throws(JSONFault) {
        if depth >= maxDepth { throw fault("at most \(maxDepth) levels", isMalformed: false) }
        if !closes(bracket) { throw fault("\(bracket)") }
        depth += 1
    }

    /// Advances to the next element of an array. Returns false at the end of the array, which is then closed.
    ///
    /// - Parameter isFirst: True before the first element.
    package mutating func nextElement(_ isFirst: inout Bool) throws(JSONFault) -> Bool {
        try next("]", &isFirst, "the end of the array")
    }

    /// Advances to the value of the next member of an object. Returns the raw name with its quotes, or nil at the end
    /// of the object, which is then closed.
    ///
    /// - Parameter isFirst: True before the first member.
    package mutating func nextMember(_ isFirst: inout Bool) throws(JSONFault) -> ArraySlice<UInt8>? {
        guard try next("}", &isFirst, "the end of the object") else { return nil }
        let name = try string()
        if !closes(":") { throw fault("a colon") }
        return name
    }

    private mutating func next(
        _ bracket: Unicode.Scalar, _ isFirst: inout Bool, _ end: String
    ) throws(JSONFault) -> Bool {
        if closes(bracket) {
            depth -= 1
            return false
        }
        if !isFirst, !closes(",") { throw fault("a comma or \(end)") }
        isFirst = false
        return true
    }

    /// Reads a string and returns its raw bytes with the quotes.
    package mutating func string() throws(JSONFault) -> ArraySlice<UInt8> {
        skipSpace()
        let start = position
        if !take("\"") { throw fault("a string") }
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return bytes[start..<position]
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fault("no control character in a string")
            default: continue
            }
        }
        throw fault("the end of the string")
    }

    /// Reads a string and returns its text.
    package mutating func text() throws(JSONFault) -> String {
        let written = try string()
        guard let text = JSONString.text(of: written) else { throw fault("text in valid Unicode") }
        return text
    }

    /// Reads a number and returns its digits.
    package mutating func number() throws(JSONFault) -> ArraySlice<UInt8> {
        let start = position
        take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { take("-") }
            try digits()
        }
        return bytes[start..<position]
    }

    package mutating func word(_ word: StaticString) throws(JSONFault) {
        let word = "\(word)".utf8
        guard bytes[position...].starts(with: word) else { throw fault("a value") }
        position += word.count
    }

    /// Reads a value and returns its raw bytes, without white space around it.
    @discardableResult package mutating func value() throws(JSONFault) -> ArraySlice<UInt8> {
        skipSpace()
        let start = position
        var isFirst = true
        switch peek {
        case UInt8(ascii: "{"):
            try open("{")
            while try nextMember(&isFirst) != nil { try value() }
        case UInt8(ascii: "["):
            try open("[")
            while try nextElement(&isFirst) { try value() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
        return bytes[start..<position]
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = peek else { throw fault("an escape") }
        position += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                guard let digit = peek, Unicode.Scalar(digit).properties.isASCIIHexDigit else {
                    throw fault("four hexadecimal digits")
                }
                position += 1
            }
        } else if !"\"\\/bfnrt".utf8.contains(byte) {
            throw fault("an escape")
        }
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = peek, (48...57).contains(byte) { position += 1 }
        if position == start { throw fault("a value") }
    }

    /// Consumes a mark if it follows, with the white space before it.
    private mutating func closes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        return take(mark)
    }

    @discardableResult private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }
}

/// Parsers that return the raw values of an array or object.
extension JSONReader {
    /// Returns the raw bytes of a single value, without white space around it.
    package static func value(in bytes: ArraySlice<UInt8>) throws(JSONFault) -> ArraySlice<UInt8> {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        try reader.end()
        return value
    }

    /// Returns the raw elements of an array.
    package static func elements(in bytes: ArraySlice<UInt8>) throws(JSONFault) -> [ArraySlice<UInt8>] {
        var reader = JSONReader(bytes)
        var elements: [ArraySlice<UInt8>] = []
        var isFirst = true
        try reader.open("[")
        while try reader.nextElement(&isFirst) { elements.append(try reader.value()) }
        try reader.end()
        return elements
    }

    /// Returns the members of an object in their order, including duplicate names.
    package static func members(
        in bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> [(name: String, value: ArraySlice<UInt8>)] {
        var reader = JSONReader(bytes)
        var members: [(name: String, value: ArraySlice<UInt8>)] = []
        var isFirst = true
        try reader.open("{")
        while let name = try reader.nextMember(&isFirst) {
            guard let text = JSONString.text(of: name) else { throw reader.fault("a name in valid Unicode") }
            members.append((text, try reader.value()))
        }
        try reader.end()
        return members
    }
}
