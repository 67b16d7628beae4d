extension Span<UInt8> {
    /// How many bytes two texts begin with in common.
    func commonPrefix(with other: Span<UInt8>) -> Int {
        commonPrefix(Hunk(old: 0..<count, new: 0..<other.count), with: other)
    }

    /// How many bytes the ranges of a box begin with in common; the old range is of this text.
    func commonPrefix(_ box: Hunk, with other: Span<UInt8>) -> Int {
        let limit = Swift.min(box.old.count, box.new.count)
        var length = 0
        while length + 32 <= limit,
            words(at: box.old.lowerBound + length) == other.words(at: box.new.lowerBound + length)
        { length += 32 }
        while length < limit, self[box.old.lowerBound + length] == other[box.new.lowerBound + length] { length += 1 }
        return length
    }

    /// How many bytes the ranges of a box end with in common.
    func commonSuffix(_ box: Hunk, with other: Span<UInt8>) -> Int {
        let limit = Swift.min(box.old.count, box.new.count)
        let (end, otherEnd) = (box.old.upperBound, box.new.upperBound)
        var length = 0
        while length + 32 <= limit, words(at: end - length - 32) == other.words(at: otherEnd - length - 32) {
            length += 32
        }
        while length < limit, self[end - length - 1] == other[otherEnd - length - 1] { length += 1 }
        return length
    }

    /// A box without what its ranges begin and end with in common, never cut inside a character.
    func trimmed(_ box: Hunk, against other: Span<UInt8>) -> Hunk {
        var rest = box
        let prefix = commonPrefix(box, with: other)
        var start = box.old.lowerBound + prefix
        var otherStart = box.new.lowerBound + prefix
        while !isBoundary(start) || !other.isBoundary(otherStart) {
            start -= 1
            otherStart -= 1
        }
        rest.old = start..<box.old.upperBound
        rest.new = otherStart..<box.new.upperBound
        var suffix = commonSuffix(rest, with: other)
        while !isBoundary(rest.old.upperBound - suffix) || !other.isBoundary(rest.new.upperBound - suffix) {
            suffix -= 1
        }
        rest.old = start..<rest.old.upperBound - suffix
        rest.new = otherStart..<rest.new.upperBound - suffix
        return rest
    }

    /// Thirty-two bytes at once.
    ///
    /// - Precondition: they are all there.
    func words(at offset: Int) -> SIMD4<UInt64> {
        // Safe because the load checks its bounds, and any bytes are numbers.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    }

    /// Eight bytes at once.
    ///
    /// - Precondition: they are all there.
    func word(at offset: Int) -> UInt64 {
        // Safe because the load checks its bounds, and any eight bytes are a number.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
