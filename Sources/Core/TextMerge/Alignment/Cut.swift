/// How a text is cut into tokens.
enum Cut {
    /// After each line feed.
    case lines
    /// Into words, and into single characters where they are no part of a word.
    case words

    /// Where the tokens of a range begin, and at last where the range ends.
    func starts(in range: Range<Int>, of bytes: Span<UInt8>) -> [Int32] {
        guard !range.isEmpty else { return [Int32(range.lowerBound)] }
        var starts = [Int32(range.lowerBound)]
        switch self {
        case .lines:
            for offset in range.dropFirst() where bytes[offset - 1] == 0x0A { starts.append(Int32(offset)) }
        case .words:
            starts.reserveCapacity(range.count / 2)
            for offset in range.dropFirst() where bytes.isBreak(offset) { starts.append(Int32(offset)) }
        }
        starts.append(Int32(range.upperBound))
        return starts
    }
}
