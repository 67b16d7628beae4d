/// The numbers of distinct tokens of two texts, by their bytes: a hash table with open addressing.
struct TokenTable {
    private var slots: [Int32]
    private var tokens: [Token] = []
    /// How many of the tokens are of the first text.
    private var firstCount = Int.max

    private struct Token {
        let hash: Int
        let range: Range<Int>
    }

    /// - Parameter capacity: how many tokens will come at most.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
    }

    /// Says that the tokens from now on are of the second text.
    mutating func endFirstText() {
        firstCount = tokens.count
    }

    /// The number of a token of a text, where tokens seen before may be of the first text.
    mutating func number(of range: Range<Int>, _ bytes: Span<UInt8>, _ first: Span<UInt8>) -> Int32 {
        let hash = TokenTable.hash(of: range, bytes)
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            let token = tokens[number]
            if token.hash == hash, token.range.count == range.count {
                let box = Hunk(old: token.range, new: range)
                let common =
                    number < firstCount ? first.commonPrefix(box, with: bytes) : bytes.commonPrefix(box, with: bytes)
                if common == range.count { return slots[slot] }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(tokens.count)
        tokens.append(Token(hash: hash, range: range))
        return slots[slot]
    }

    private static func hash(of range: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            hasher.combine(bytes.word(at: offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < range.upperBound {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        hasher.combine(rest)
        hasher.combine(range.count)
        return hasher.finalize()
    }
}
