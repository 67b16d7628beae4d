extension Span<UInt8> {
    /// Returns true if the offset is not between two top-level lines: it is at the end of a line's text, or the line
    /// before opens a block, or the line behind closes a block or is indented further.
    ///
    /// git also positions hunks by indentation (Michael Haggerty, "diff: improve positioning of add/delete blocks in
    /// diffs", 2016). Tags and brackets replace the indentation in text without it. Only the 80 bytes beside the offset
    /// are read, so the work is bounded.
    func isWithinBlock(at offset: Int) -> Bool {
        guard offset > 0, offset < count else { return false }
        guard self[offset - 1] == 0x0A else { return UInt32(self[offset]).isLineEnd }
        var end = offset - 1
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        var start = end
        while start > 0, self[start - 1] != 0x0A, end - start < Self.maxInspectedBytes { start -= 1 }
        guard start < end else { return false }
        let line = start..<end
        let next = offset..<Swift.min(count, offset + Self.maxInspectedBytes)
        let isWholeLine = start == 0 || self[start - 1] == 0x0A
        return opensBlock(line, isWholeLine: isWholeLine) || closesBlock(next)
            || isWholeLine && indentation(of: next) > indentation(of: line)
    }

    private static var maxInspectedBytes: Int { 80 }

    /// Returns true if a line ends with an opening bracket, is an opening tag or begins a code fence.
    private func opensBlock(_ line: Range<Int>, isWholeLine: Bool) -> Bool {
        let last = self[line.upperBound - 1]
        if last == UInt8(ascii: "{") || last == UInt8(ascii: "[") || last == UInt8(ascii: "(") { return true }
        guard isWholeLine else { return false }
        let text = line.dropFirst(indentation(of: line))
        guard text.count > 2 else { return false }
        let first = text.lowerBound
        if self[first] == UInt8(ascii: "<"), last == UInt8(ascii: ">"), self[line.upperBound - 2] != UInt8(ascii: "/") {
            return !text.dropLast(1).contains { self[$0] == UInt8(ascii: "<") && self[$0 + 1] == UInt8(ascii: "/") }
        }
        return text.count > 3 && (0..<3).allSatisfy { self[first + $0] == UInt8(ascii: "`") }
    }

    /// Returns true if a line begins with a closing bracket or tag.
    private func closesBlock(_ line: Range<Int>) -> Bool {
        let text = line.dropFirst(indentation(of: line))
        guard let first = text.first else { return false }
        switch self[first] {
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): return true
        case UInt8(ascii: "<"): return text.count > 1 && self[first + 1] == UInt8(ascii: "/")
        default: return false
        }
    }

    /// Returns the number of spaces and tabs at the beginning of a line.
    private func indentation(of line: Range<Int>) -> Int { line.prefix { self[$0] == 0x20 || self[$0] == 0x09 }.count }
}
