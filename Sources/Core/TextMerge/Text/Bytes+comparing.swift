extension Span<UInt8> {
    func commonPrefix(with other: Span<UInt8>) -> Int {
        commonPrefix(Hunk(old: 0..<count, new: 0..<other.count), with: other)
    }

    /// Returns the length of the common prefix of the ranges of a box, in bytes; the old range is in this text.
    func commonPrefix(_ box: Hunk, with other: Span<UInt8>) -> Int {
        let limit = Swift.min(box.old.count, box.new.count)
        var length = 0
        while length + 32 <= limit,
            words(at: box.old.lowerBound + length) == other.words(at: box.new.lowerBound + length)
        { length += 32 }
        while length < limit, self[box.old.lowerBound + length] == other[box.new.lowerBound + length] { length += 1 }
        return length
    }

    /// Returns the length of the common suffix of the ranges of a box, in bytes; the old range is in this text.
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

    /// Returns a box without its common prefix and suffix, cut only where `isCut` is true in both texts.
    func trimmed(_ box: Hunk, against other: Span<UInt8>, cuttingWhere isCut: (Span<UInt8>, Int) -> Bool) -> Hunk {
        var prefix = commonPrefix(box, with: other)
        while prefix > 0, !isCut(self, box.old.lowerBound + prefix) || !isCut(other, box.new.lowerBound + prefix) {
            prefix -= 1
        }
        let rest = Hunk(
            old: box.old.lowerBound + prefix..<box.old.upperBound, new: box.new.lowerBound + prefix..<box.new.upperBound
        )
        var suffix = commonSuffix(rest, with: other)
        while suffix > 0, !isCut(self, rest.old.upperBound - suffix) || !isCut(other, rest.new.upperBound - suffix) {
            suffix -= 1
        }
        return Hunk(
            old: rest.old.lowerBound..<rest.old.upperBound - suffix,
            new: rest.new.lowerBound..<rest.new.upperBound - suffix)
    }

    /// Returns the 32 bytes at an offset, which must lie in the text.
    func words(at offset: Int) -> SIMD4<UInt64> {
        // Safe because the load checks its bounds, and any 32 bytes are valid integers.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    }

    /// Returns the eight bytes at an offset, which must lie in the text.
    func word(at offset: Int) -> UInt64 {
        // Safe because the load checks its bounds, and any eight bytes are a valid integer.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
