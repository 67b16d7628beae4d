extension Span<UInt8> {
    /// Returns the quality of a boundary at an offset: highest at the ends of the text, lowest inside a visible
    /// character.
    ///
    /// The tables are fixed and coarse: a client and a server with different versions of Unicode must find the same
    /// differences.
    func boundaryQuality(at offset: Int) -> Int {
        guard offset > 0, offset < count else { return 6 }
        let (left, right) = (scalar(before: offset), scalar(at: offset).value)
        if left == 0x0D && right == 0x0A || left == 0x200D || right.isJoined { return -12 }
        if left.isLineEnd || right.isLineEnd { return isBlankLine(at: offset) ? 5 : 4 }
        if left.isPunctuation, right.isSpace { return 3 }
        if left.isSpace || right.isSpace { return 2 }
        return left.isLetterOrDigit && right.isLetterOrDigit ? 0 : 1
    }

    /// Returns true if an empty line ends or begins at an offset.
    private func isBlankLine(at offset: Int) -> Bool {
        if isLineFeed(offset - 1), isLineFeed(offset - 2) || isReturn(offset - 2) && isLineFeed(offset - 3) {
            return true
        }
        let feed = isReturn(offset) ? offset + 1 : offset
        return isLineFeed(feed) && (isLineFeed(feed + 1) || isReturn(feed + 1) && isLineFeed(feed + 2))
    }

    private func isLineFeed(_ offset: Int) -> Bool { offset >= 0 && offset < count && self[offset] == 0x0A }
    private func isReturn(_ offset: Int) -> Bool { offset >= 0 && offset < count && self[offset] == 0x0D }
}

extension UInt32 {
    var isLineEnd: Bool { self == 0x0A || self == 0x0D }

    fileprivate var isSpace: Bool {
        switch self {
        case 0x09...0x0D, 0x20, 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x3000: true
        default: false
        }
    }

    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x00...0xBF, 0xD7, 0xF7, 0x2000...0x2BFF, 0x3000...0x3003, 0x3008...0x3020, 0xFF01...0xFF0F: false
        default: true
        }
    }

    fileprivate var isPunctuation: Bool { !isLetterOrDigit && !isSpace && (kind == .border || self < 0x2300) }

    /// True if the scalar is drawn as part of the one before it: combining marks, joiners, variation selectors, emoji
    /// modifiers, tags.
    var isJoined: Bool {
        switch self {
        case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8: true
        case 0x0900...0x0903, 0x093A...0x093C, 0x093E...0x094F, 0x0E31, 0x0E33...0x0E3A, 0x0E47...0x0E4E: true
        case 0x0EB1, 0x0EB3...0x0EBC, 0x0EC8...0x0ECE, 0x0F71...0x0F84, 0x102B...0x103E, 0x17B4...0x17D3: true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200C...0x200D, 0x20D0...0x20FF, 0x302A...0x302F: true
        case 0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
        default: false
        }
    }
}
