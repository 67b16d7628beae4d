/// The role of a character when a text is divided into words.
enum CharacterKind: UInt8 {
    case word
    case space
    /// Punctuation, which separates words.
    case border
    /// A character that counts as a word: an emoji, or a character of a script without spaces between words.
    case unit
}

extension Span<UInt8> {
    /// Returns true if one word, punctuation mark or space ends at an offset and the next one begins.
    ///
    /// Words end at white space and at punctuation, except for an apostrophe between letters and for the punctuation
    /// inside numbers, times and dates. A base character keeps its combining marks, an emoji the characters joined to
    /// it.
    func isBreak(_ offset: Int) -> Bool {
        guard offset > 0, offset < count else { return true }
        let (left, right) = (self[offset - 1], self[offset])
        guard left < 0x80, right < 0x80 else { return isBoundary(offset) && isBreakBetweenScalars(offset) }
        return isBreak(CharacterKind(ascii: left), CharacterKind(ascii: right), at: offset)
    }

    private func isBreak(_ left: CharacterKind, _ right: CharacterKind, at offset: Int) -> Bool {
        switch (left, right) {
        case (.word, .word): false
        case (.word, .border): !connects(offset)
        case (.border, .word): !connects(offset - 1)
        default: true
        }
    }

    /// Returns true if one visible character ends at an offset and the next one begins.
    func isCharacterBreak(_ offset: Int) -> Bool {
        guard offset > 0, offset < count else { return true }
        if self[offset] < 0x80, self[offset - 1] < 0x80 { return true }
        return isBreak(offset)
            || isBoundary(offset) && !scalar(at: offset).value.isJoined && scalar(before: offset) != 0x200D
                && !scalar(at: offset).value.isRegionalIndicator
    }

    private func isBreakBetweenScalars(_ offset: Int) -> Bool {
        let right = scalar(at: offset).value
        var start = offset
        var left = previousScalar(&start)
        if right.isJoined { return left == 0x0A || left == 0x0D }
        if left == 0x200D { return right.kind == .space || right.kind == .border }
        if right.isRegionalIndicator, left.isRegionalIndicator {
            var indicators = 1
            // The search for the beginning of a run of flags stops after 64 indicators, so the work is bounded.
            while start > 0, indicators < 64, previousScalar(&start).isRegionalIndicator { indicators += 1 }
            return indicators % 2 == 0
        }
        while left.isJoined, start > 0 { left = previousScalar(&start) }
        return isBreak(left.kind, right.kind, at: offset)
    }

    /// Returns the scalar before an offset, and moves the offset to the beginning of that scalar.
    private func previousScalar(_ offset: inout Int) -> UInt32 {
        offset -= 1
        while !isBoundary(offset) { offset -= 1 }
        return scalar(at: offset).value
    }

    /// Returns true if the punctuation at an offset belongs to the word around it.
    private func connects(_ offset: Int) -> Bool {
        guard offset > 0, offset + 1 < count else { return false }
        switch self[offset] {
        case UInt8(ascii: "'"):
            return scalar(before: offset).kind == .word && scalar(at: offset + 1).value.kind == .word
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/"):
            return self[offset - 1].isDigit && self[offset + 1].isDigit
        default: return false
        }
    }

    func hasLineFeed(in range: Range<Int>) -> Bool {
        for offset in range where self[offset] == 0x0A { return true }
        return false
    }

    /// Returns the number of words in a range; each character of kind `unit` counts as one word.
    func wordCount(in range: Range<Int>) -> Int {
        var words = 0
        var isInside = false
        for offset in range where isBoundary(offset) {
            if isBreak(offset) { isInside = false }
            let kind = kind(at: offset)
            guard kind == .word || kind == .unit, !isInside else { continue }
            isInside = true
            words += 1
        }
        return words
    }

    /// Returns true if a range contains more than white space and punctuation.
    func hasWord(in range: Range<Int>) -> Bool {
        for offset in range where isBoundary(offset) {
            let kind = kind(at: offset)
            if kind == .word || kind == .unit { return true }
        }
        return false
    }

    /// Returns true if a range is not empty and no word boundary lies inside it.
    func isOneWord(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        for offset in range.dropFirst() where isBreak(offset) { return false }
        return true
    }

    func isLineStart(_ offset: Int) -> Bool { offset == 0 || self[offset - 1] == 0x0A }

    func kind(at offset: Int) -> CharacterKind {
        self[offset] < 0x80 ? CharacterKind(ascii: self[offset]) : scalar(at: offset).value.kind
    }
}

extension CharacterKind {
    fileprivate init(ascii byte: UInt8) {
        self =
            switch byte {
            case 0x09...0x0D, 0x20: .space
            // ! " # ' ( ) * , - . / : ; < = > ? [ ] _ ` { | }
            case 0x21...0x23, 0x27...0x2A, 0x2C...0x2F, 0x3A...0x3F, 0x5B, 0x5D, 0x5F, 0x60, 0x7B...0x7D: .border
            default: .word
            }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension UInt32 {
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(self) }

    /// The kind of the scalar.
    ///
    /// The tables are fixed and coarse: a client and a server with different versions of Unicode must find the same
    /// words.
    var kind: CharacterKind {
        switch self {
        case 0x00...0x7F: CharacterKind(ascii: UInt8(self))
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: .space
        // Thai, Lao, Tibetan, Burmese, Khmer and their relatives.
        case 0x0E00...0x0EFF, 0x0F00...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF: .unit
        // Clocks, weather, dingbats, stars.
        case 0x2300...0x23FF, 0x2600...0x27BF, 0x2B00...0x2BFF: .unit
        // Chinese, Japanese and Yi, with their punctuation and full-width forms.
        case 0x2E80...0x312F, 0x3190...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF9F, 0xFFE0...0xFFEF: .unit
        // Emoji, and Chinese beyond the basic plane.
        case 0x1B000...0x1B16F, 0x1F000...0x1FAFF, 0x20000...0x3FFFF: .unit
        default: .word
        }
    }
}
