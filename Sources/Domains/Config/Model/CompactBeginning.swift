internal import AlmanacJSON

/// The beginning of a JSON text without the white space between its tokens.
struct CompactBeginning {
    /// At most so many characters (Unicode scalars) of it, never a part of one.
    private(set) var bytes: [UInt8] = []
    /// Whether the text has no more.
    let isWhole: Bool

    /// - Parameter text: JSON; no more of it is looked at than is needed.
    init(of text: [UInt8], characters: Int) {
        bytes.reserveCapacity(min(text.count, characters))
        var remaining = characters
        var isInString = false
        var isEscaped = false
        for byte in text {
            // Outside of strings no other byte of JSON is as small.
            if !isInString, byte <= 0x20 { continue }
            if byte & 0xC0 != 0x80 {
                guard remaining > 0 else {
                    isWhole = false
                    return
                }
                remaining -= 1
            }
            bytes.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else {
                isEscaped = isInString && byte == UInt8(ascii: "\\")
            }
        }
        isWhole = true
    }

    /// The beginning as a JSON string. JSON holds no control characters, so quotes and backslashes alone are escaped.
    var quoted: [UInt8] {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(bytes.count + bytes.count / 8 + 2)
        quoted.append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return quoted
    }
}

extension JSONType {
    /// That of a value which a text is known to hold, with nothing before it.
    init(ofText text: [UInt8]) {
        switch text.first {
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
