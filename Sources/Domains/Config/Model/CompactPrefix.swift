internal import AlmanacJSON

/// The beginning of a JSON text, without white space between tokens.
struct CompactPrefix {
    /// The first characters (Unicode scalars) up to the given number, without a partial character at the end.
    private(set) var bytes: [UInt8] = []
    /// True if the beginning is the whole text.
    let isWhole: Bool

    /// - Parameter text: Valid JSON, read only as far as needed.
    init(of text: [UInt8], characters: Int) {
        bytes.reserveCapacity(min(text.count, characters))
        var remaining = characters
        var isInString = false
        var isEscaped = false
        for byte in text {
            // Outside of strings, only white space has bytes this small.
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

    /// The beginning as a JSON string. Only quotes and backslashes need escapes, because no control character is left.
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
    /// Returns the type of the value that a valid JSON text without leading white space holds.
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
