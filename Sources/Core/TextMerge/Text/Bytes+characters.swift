extension Span<UInt8> {
    /// Returns true if a scalar begins at an offset, or the text ends at or before it.
    func isBoundary(_ offset: Int) -> Bool { offset >= count || self[offset] & 0xC0 != 0x80 }

    func scalar(at offset: Int) -> (value: UInt32, length: Int) {
        let lead = UInt32(self[offset])
        if lead < 0x80 { return (lead, 1) }
        let second = UInt32(self[offset + 1] & 0x3F)
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, 2) }
        let third = UInt32(self[offset + 2] & 0x3F)
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, 3) }
        return ((lead & 0x07) << 18 | second << 12 | third << 6 | UInt32(self[offset + 3] & 0x3F), 4)
    }

    func scalar(before offset: Int) -> UInt32 {
        var start = offset - 1
        while !isBoundary(start) { start -= 1 }
        return scalar(at: start).value
    }

    /// Returns the length of a range in UTF-16 code units: two for a scalar of four bytes, one for any other.
    func unitCount(_ range: Range<Int>) -> Int {
        var count = 0
        var offset = range.lowerBound
        while offset + 32 <= range.upperBound {
            // Each byte of the vectors is a counter; the counters are added up before one can overflow.
            let start = offset
            let end = Swift.min(range.upperBound - 31, offset + 32 * 127)
            var continued = SIMD4<UInt64>()
            var long = SIMD4<UInt64>()
            while offset < end {
                let words = words(at: offset)
                let (shifted, ones) = (words &>> 4, SIMD4<UInt64>(repeating: 0x0101_0101_0101_0101))
                let highest = shifted &>> 3
                continued &+= highest & ~(shifted &>> 2) & ones
                long &+= highest & (shifted &>> 2) & (shifted &>> 1) & shifted & ones
                offset += 32
            }
            count += offset - start
            for index in 0..<4 { count += Span.sum(long[index]) - Span.sum(continued[index]) }
        }
        while offset < range.upperBound {
            count += Span.unitCount(ofByte: self[offset])
            offset += 1
        }
        return count
    }

    /// Returns a 1 in each byte that continues a scalar: its highest bits are 10.
    private static func continued(in word: UInt64) -> UInt64 { word >> 7 & ~(word >> 6) & 0x0101_0101_0101_0101 }

    /// Returns a 1 in each byte that begins a scalar of four bytes: its highest bits are 1111.
    private static func long(in word: UInt64) -> UInt64 {
        word >> 7 & word >> 6 & word >> 5 & word >> 4 & 0x0101_0101_0101_0101
    }

    private static func sum(_ word: UInt64) -> Int {
        let pairs = (word & 0x00FF_00FF_00FF_00FF) &+ (word >> 8 & 0x00FF_00FF_00FF_00FF)
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }

    private static func unitCount(ofByte byte: UInt8) -> Int {
        if byte & 0xC0 == 0x80 { return 0 }
        return byte < 0xF0 ? 1 : 2
    }

    /// Returns an offset moved forward by a number of UTF-16 code units, or nil if the text is shorter or the result
    /// would split a surrogate pair.
    func offset(_ start: Int, advancedBy units: Int) -> Int? {
        var offset = start
        var missing = units
        while missing >= 16, offset + 8 <= count {
            let word = word(at: offset)
            missing -= 8 + Span.sum(Span.long(in: word)) - Span.sum(Span.continued(in: word))
            offset += 8
        }
        while missing > 0 || missing == 0 && !isBoundary(offset) {
            guard offset < count else { return nil }
            missing -= Span.unitCount(ofByte: self[offset])
            offset += 1
        }
        return missing == 0 ? offset : nil
    }
}
