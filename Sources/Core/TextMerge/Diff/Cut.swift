/// How a text is cut into tokens. No cut is inside a character.
enum Cut {
    /// After each line feed.
    case lines
    /// Between words, white space and everything else; characters of scripts that don't separate words stand alone.
    case words

    /// Where the tokens of a range begin, and at last where the range ends.
    func starts(in range: Range<Int>, of bytes: Span<UInt8>) -> [Int32] {
        guard !range.isEmpty else { return [Int32(range.lowerBound)] }
        var starts = [Int32(range.lowerBound)]
        switch self {
        case .lines:
            for offset in range.dropFirst() where bytes[offset - 1] == 0x0A { starts.append(Int32(offset)) }
        case .words:
            var part = WordPart(bytes[range.lowerBound])
            for offset in range.dropFirst() where bytes.isBoundary(offset) {
                let next = WordPart(bytes[offset])
                if next != part || part == .other { starts.append(Int32(offset)) }
                part = next
            }
        }
        starts.append(Int32(range.upperBound))
        return starts
    }
}

/// What a character is to a word, told from the first byte of its UTF-8.
private enum WordPart {
    case word
    case space
    case other

    init(_ lead: UInt8) {
        self =
            switch lead {
            // Letters and digits of ASCII; U+00C0 to U+1FFF, alphabets for the most part; U+A000 to U+AFFF.
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC3...0xE1, 0xEA: .word
            case 0x09...0x0D, 0x20: .space
            default: .other
            }
    }
}
