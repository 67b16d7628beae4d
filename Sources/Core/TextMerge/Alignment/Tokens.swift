/// Two ranges of text as sequences of numbers. Equal tokens have equal numbers.
///
/// Numbers are assigned in the order of appearance in the old text, so they don't depend on the hash. The hash is
/// Swift's own keyed one, so nobody can craft tokens that collide.
struct Tokens {
    /// The numbers of the old tokens, from 0.
    private(set) var old: [Int32] = []
    /// The numbers of the new tokens, or -1 for tokens that the old text does not have.
    private(set) var new: [Int32] = []
    /// The offset at which each token begins, followed by the end of the range.
    let oldStarts: [Int32]
    let newStarts: [Int32]
    /// The number of distinct tokens.
    let count: Int
    /// True for each line that also occurs near the ranges, in text shared by both sides. False for words.
    private(set) var isNearby: [Bool]

    /// - Parameter moved: The bytes whose tokens equal no other token.
    init(
        _ box: Hunk, of oldBytes: Span<UInt8>, and newBytes: Span<UInt8>, cutting cut: Cut,
        without moved: inout MovedBytes
    ) {
        oldStarts = cut.starts(in: box.old, of: oldBytes)
        newStarts = cut.starts(in: box.new, of: newBytes)
        var table = TokenTable(capacity: oldStarts.count + 1)
        old.reserveCapacity(oldStarts.count)
        for index in 1..<oldStarts.count {
            let range = oldStarts[index - 1]..<oldStarts[index]
            // Moved tokens become the empty token, which the new text never contains.
            let isMoved = moved.old.contains(Int(range.lowerBound))
            old.append(table.insert(isMoved ? range.lowerBound..<range.lowerBound : range, of: oldBytes))
        }
        new.reserveCapacity(newStarts.count)
        for index in 1..<newStarts.count {
            let range = newStarts[index - 1]..<newStarts[index]
            let isMoved = moved.new.contains(Int(range.lowerBound))
            new.append(isMoved ? -1 : table.number(of: range, in: newBytes, text: oldBytes) ?? -1)
        }
        count = table.count
        isNearby = Array(repeating: false, count: count)
        guard cut == .lines, old.count > 1, new.count > 1 else { return }
        let before = max(0, box.old.lowerBound - Tokens.nearbyBytes)..<box.old.lowerBound
        let after = box.old.upperBound..<min(oldBytes.count, box.old.upperBound + Tokens.nearbyBytes)
        for range in [before, after] {
            let starts = cut.starts(in: range, of: oldBytes)
            for index in 1..<starts.count {
                let number = table.number(of: starts[index - 1]..<starts[index], in: oldBytes, text: oldBytes)
                if let number { isNearby[Int(number)] = true }
            }
        }
    }

    /// The number of bytes before and behind the ranges in which their lines are searched.
    private static let nearbyBytes = 65_536

    var whole: Hunk { Hunk(old: 0..<old.count, new: 0..<new.count) }

    func bytes(of box: Hunk) -> Hunk {
        Hunk(
            old: Int(oldStarts[box.old.lowerBound])..<Int(oldStarts[box.old.upperBound]),
            new: Int(newStarts[box.new.lowerBound])..<Int(newStarts[box.new.upperBound]))
    }

    func bytes(of match: Match) -> Match {
        let start = Int(oldStarts[match.old])
        return Match(
            old: start, new: Int(newStarts[match.new]), length: Int(oldStarts[match.old + match.length]) - start)
    }
}
