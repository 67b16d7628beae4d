/// A way to divide a text into tokens.
enum Cut {
    case lines
    /// Into words, with each other character as a token of its own.
    case words

    /// Returns the offset at which each token of a range begins, followed by the end of the range.
    func starts(in range: Range<Int>, of bytes: Span<UInt8>) -> [Int32] {
        guard !range.isEmpty else { return [Int32(range.lowerBound)] }
        var starts = [Int32(range.lowerBound)]
        switch self {
        case .lines: for offset in range.dropFirst() where bytes[offset - 1] == 0x0A { starts.append(Int32(offset)) }
        case .words:
            starts.reserveCapacity(range.count / 2)
            for offset in range.dropFirst() where bytes.isBreak(offset) { starts.append(Int32(offset)) }
        }
        starts.append(Int32(range.upperBound))
        return starts
    }
}
