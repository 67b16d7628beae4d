/// Takes a JSON text (RFC 8259) apart without reading its numbers, so that they keep the digits they were written with.
package struct JSONScanner {
    /// How deep arrays and objects may lie in each other.
    package static let depthLimit = 128

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// A mistake in a text, and the byte where it is.
    package struct Fault: Error, Equatable {
        package let expected: String
        package let offset: Int

        package init(expected: String, offset: Int) {
            self.expected = expected
            self.offset = offset
        }
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The text of the one value in the bytes, without the space around it.
    package static func value(in bytes: ArraySlice<UInt8>) throws(Fault) -> ArraySlice<UInt8> {
        var scanner = JSONScanner(bytes)
        let value = try scanner.value(depth: 0)
        try scanner.end()
        return value
    }

    /// The elements of an array.
    package static func elements(in bytes: ArraySlice<UInt8>) throws(Fault) -> [ArraySlice<UInt8>] {
        var scanner = JSONScanner(bytes)
        var elements: [ArraySlice<UInt8>] = []
        try scanner.array(depth: 0) { elements.append($0) }
        try scanner.end()
        return elements
    }

    /// The members of an object, in the order written, doubled names included.
    package static func members(in bytes: ArraySlice<UInt8>) throws(Fault) -> [(name: String, value: ArraySlice<UInt8>)]
    {
        var scanner = JSONScanner(bytes)
        var members: [(name: String, value: ArraySlice<UInt8>)] = []
        try scanner.object(depth: 0) { name, value throws(Fault) in
            guard let text = JSONString.text(of: name) else {
                throw Fault(expected: "a name in valid Unicode", offset: name.startIndex)
            }
            members.append((text, value))
        }
        try scanner.end()
        return members
    }

    private mutating func value(depth: Int) throws(Fault) -> ArraySlice<UInt8> {
        skipSpace()
        let start = position
        switch peek {
        case UInt8(ascii: "{"): try object(depth: depth) { _, _ in }
        case UInt8(ascii: "["): try array(depth: depth) { _ in }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return bytes[start..<position]
    }

    private mutating func object(
        depth: Int, _ member: (ArraySlice<UInt8>, ArraySlice<UInt8>) throws(Fault) -> Void
    ) throws(Fault) {
        try open("{", depth: depth)
        if closes("}") { return }
        repeat {
            skipSpace()
            let start = position
            try string()
            let name = bytes[start..<position]
            if !closes(":") { throw fault("a colon") }
            try member(name, value(depth: depth + 1))
        } while closes(",")
        if !closes("}") { throw fault("a comma or the end of the object") }
    }

    private mutating func array(
        depth: Int, _ element: (ArraySlice<UInt8>) throws(Fault) -> Void
    ) throws(Fault) {
        try open("[", depth: depth)
        if closes("]") { return }
        repeat {
            try element(value(depth: depth + 1))
        } while closes(",")
        if !closes("]") { throw fault("a comma or the end of the array") }
    }

    private mutating func open(_ bracket: Unicode.Scalar, depth: Int) throws(Fault) {
        if depth >= Self.depthLimit { throw fault("at most \(Self.depthLimit) levels") }
        if !closes(bracket) { throw fault("\(bracket)") }
    }

    private mutating func string() throws(Fault) {
        if peek != UInt8(ascii: "\"") { throw fault("a string") }
        position += 1
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fault("no control character in a string")
            default: continue
            }
        }
        throw fault("the end of the string")
    }

    private mutating func escape() throws(Fault) {
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

    private mutating func number() throws(Fault) {
        take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = peek, (48...57).contains(byte) { position += 1 }
        if position == start { throw fault("a value") }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        let word = "\(word)".utf8
        guard bytes[position...].starts(with: word) else { throw fault("a value") }
        position += word.count
    }

    private mutating func end() throws(Fault) {
        skipSpace()
        if position != bytes.endIndex { throw fault("nothing behind the value") }
    }

    /// Takes a mark, with the space before it, if it comes next.
    private mutating func closes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        return take(mark)
    }

    @discardableResult
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B && byte != 0x0C) {
            position += 1
        }
    }

    private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func fault(_ expected: String) -> Fault {
        Fault(expected: expected, offset: position - bytes.startIndex)
    }
}
