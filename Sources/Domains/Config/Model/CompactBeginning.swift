internal import AlmanacJSON

/// The beginning of a JSON text without the white space between its tokens.
struct CompactBeginning {
    /// At most so many characters (Unicode scalars) of it, never a part of one.
    private(set) var bytes: [UInt8] = []
    /// Whether the text has no more.
    let isWhole: Bool

    /// - Parameter text: JSON; no more of it is looked at than is needed.
    init(of text: [UInt8], characters: Int) {
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
