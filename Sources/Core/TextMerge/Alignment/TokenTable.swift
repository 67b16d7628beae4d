/// The numbers of the distinct tokens of a text, by their bytes: a hash table with open addressing.
struct TokenTable {
    /// The upper half of a token's hash and its number, or ``empty``.
    private var slots: [UInt64]
    private var ranges: [Range<Int32>] = []
    private static let empty = UInt64.max

    /// - Parameter capacity: The largest number of tokens.
    init(capacity: Int) {
        var size = 16
        while size < capacity + capacity / 2 { size *= 2 }
        slots = Array(repeating: TokenTable.empty, count: size)
    }

    var count: Int { ranges.count }

    /// Returns the number of a token of the text, and assigns a number to a new token.
    mutating func insert(_ range: Range<Int32>, of text: Span<UInt8>) -> Int32 {
        let hash = TokenTable.hash(of: range, text)
        let (slot, found) = find(range, hash, text, text)
        if let found { return found }
        slots[slot] = UInt64(hash >> 32) << 32 | UInt64(ranges.count)
        ranges.append(range)
        return Int32(ranges.count - 1)
    }

    /// Returns the number of a token of another text, or nil if the table does not contain it.
    func number(of range: Range<Int32>, in other: Span<UInt8>, text: Span<UInt8>) -> Int32? {
        find(range, TokenTable.hash(of: range, other), other, text).number
    }

    private func find(
        _ range: Range<Int32>, _ hash: UInt64, _ bytes: Span<UInt8>, _ text: Span<UInt8>
    ) -> (slot: Int, number: Int32?) {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != TokenTable.empty {
            if slots[slot] >> 32 == hash >> 32 {
                let number = Int(slots[slot] & 0xFFFF_FFFF)
                let box = Hunk(old: ranges[number].wide, new: range.wide)
                if box.old.count == range.count, text.commonPrefix(box, with: bytes) == range.count {
                    return (slot, Int32(number))
                }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (slot, nil)
    }

    private static func hash(of range: Range<Int32>, _ bytes: Span<UInt8>) -> UInt64 {
        let range = range.wide
        var hasher = Hasher()
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            hasher.combine(bytes.word(at: offset))
            offset += 8
        }
        var rest = UInt64(range.count & 0xFF)
        while offset < range.upperBound {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        hasher.combine(rest)
        // A hash of 32 bits is spread over both halves.
        return UInt64(UInt(bitPattern: hasher.finalize())) &* (UInt.bitWidth == 64 ? 1 : 0x1_0000_0001)
    }
}

extension Range<Int32> {
    var wide: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}
