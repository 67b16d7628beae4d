/// A scanner for brackets, commas, colons, strings and numbers that does not validate the text.
///
/// In valid JSON, the results are exactly the tokens of these kinds, because outside strings a digit or a minus sign
/// only starts a number. In other texts, they are a guess.
struct TokenScanner {
    enum Token: Equatable {
        case opening
        case closing
        case comma
        case colon
        /// The range includes both quotes.
        case string(Range<Int>)
        case number(Range<Int>)
    }

    private let text: [UInt8]
    /// The offset behind the last token.
    private(set) var position = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func next() -> Token? {
        while position < text.count {
            let start = position
            position += 1
            switch text[start] {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                return .opening
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                return .closing
            case UInt8(ascii: ","):
                return .comma
            case UInt8(ascii: ":"):
                return .colon
            case UInt8(ascii: "\""):
                skipString()
                return .string(start..<position)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                skipNumber()
                return .number(start..<position)
            default: continue
            }
        }
        return nil
    }

    private mutating func skipString() {
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\"), position < text.count { position += 1 }
        }
    }

    private mutating func skipNumber() {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"):
                position += 1
            default: return
            }
        }
    }
}
