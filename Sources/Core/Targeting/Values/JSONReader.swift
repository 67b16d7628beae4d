/// Reads JSON strictly (RFC 8259), in one pass, with bounds.
///
/// Written here because nothing that reads JSON is at hand on every platform of this library and keeps what matters to
/// it: the digits of numbers, NUL in texts, and whether a name is there twice.
struct JSONReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    private let deepest: Int

    init(_ bytes: [UInt8], deepest: Int) {
        self.bytes = bytes
        self.deepest = deepest
    }

    mutating func document() throws(JSONFault) -> FlagValue {
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw fault(.unexpected) }
        return value
    }

    func fault(_ problem: JSONFault.Problem) -> JSONFault { JSONFault(problem: problem, offset: offset) }

    /// The next byte; 0, which is none of JSON's, at the end.
    private var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { offset += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte, offset < bytes.count else { return false }
        offset += 1
        return true
    }

    private mutating func value() throws(JSONFault) -> FlagValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(FlagArray(try array()))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: FlagValue) throws(JSONFault) -> FlagValue {
        for byte in word.description.utf8 {
            guard take(byte) else { throw fault(.unexpected) }
        }
        return value
    }

    private mutating func enter() throws(JSONFault) {
        guard depth < deepest else { throw fault(.tooDeep) }
        depth += 1
        offset += 1
        skipSpace()
    }

    private mutating func object() throws(JSONFault) -> FlagObject {
        try enter()
        defer { depth -= 1 }
        var members: [FlagObject.Member] = []
        if take(UInt8(ascii: "}")) { return FlagObject() }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault(.unexpected) }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault(.unexpected) }
            members.append(FlagObject.Member(name, try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw fault(.unexpected) }
        }
        guard let object = FlagObject(members) else { throw fault(.duplicateName) }
        return object
    }

    private mutating func array() throws(JSONFault) -> [FlagValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [FlagValue] = []
        if take(UInt8(ascii: "]")) { return [] }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw fault(.unexpected) }
        }
    }

    private mutating func number() throws(JSONFault) -> FlagNumber {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        guard let number = FlagNumber(digits: String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw fault(.numberTooLarge)
        }
        return number
    }

    private mutating func digits() throws(JSONFault) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { throw fault(.unexpected) }
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { offset += 1 }
    }

    private mutating func string() throws(JSONFault) -> String {
        offset += 1
        let start = offset
        while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\""),
            bytes[offset] != UInt8(ascii: "\\")
        {
            offset += 1
        }
        if next == UInt8(ascii: "\"") {
            guard let text = String(validating: bytes[start..<offset], as: UTF8.self) else { throw fault(.badText) }
            offset += 1
            return text
        }
        var content = Array(bytes[start..<offset])
        while !take(UInt8(ascii: "\"")) {
            guard offset < bytes.count, bytes[offset] >= 0x20 else { throw fault(.unexpected) }
            if take(UInt8(ascii: "\\")) {
                try escape(into: &content)
            } else {
                content.append(bytes[offset])
                offset += 1
            }
        }
        guard let text = String(validating: content, as: UTF8.self) else { throw fault(.badText) }
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONFault) {
        let letter = next
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw fault(.badText) }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw fault(.badText) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault(.badText) }
            content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: throw fault(.unexpected)
        }
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let digit = next
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 + UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 + UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 + UInt32(digit - UInt8(ascii: "A") + 10)
            default: throw fault(.unexpected)
            }
            offset += 1
        }
        return code
    }
}

extension FlagValue {
    /// Reads JSON, strictly: UTF-8, no duplicate names, no number beyond a double, nothing after its end.
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - longest: How many bytes are taken.
    ///   - deepest: How many arrays and objects inside each other are taken.
    public init(json bytes: [UInt8], longest: Int = .max, deepest: Int = 64) throws(JSONFault) {
        guard bytes.count <= longest else { throw JSONFault(problem: .tooLong, offset: longest) }
        var reader = JSONReader(bytes, deepest: deepest)
        self = try reader.document()
    }

    /// Reads JSON from a text.
    public init(json text: String) throws(JSONFault) { try self.init(json: Array(text.utf8)) }
}
