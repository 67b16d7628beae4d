/// Two ranges of text as sequences of numbers: equal tokens have equal ones.
///
/// Numbers are in order of appearance in the old text, so they don't depend on the hash, which is Swift's own keyed
/// one: nobody can choose tokens that collide.
struct Tokens {
    /// The numbers of the old tokens, from 0.
    private(set) var old: [Int32] = []
    /// The numbers of the new tokens; -1 for those that the old text doesn't have.
    private(set) var new: [Int32] = []
    /// Where each token begins, and at last where the range ends.
    let oldStarts: [Int32]
    let newStarts: [Int32]
    /// How many numbers there are.
    let count: Int
    /// Tells of each number whether its line also stands near the ranges, in what both texts have; false for words.
    private(set) var isNearby: [Bool]

    /// - Parameter moved: the bytes whose tokens are equal to none.
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
            // No token of the new text is empty.
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
        let before = max(0, box.old.lowerBound - Tokens.vicinity)..<box.old.lowerBound
        let after = box.old.upperBound..<min(oldBytes.count, box.old.upperBound + Tokens.vicinity)
        for range in [before, after] {
            let starts = cut.starts(in: range, of: oldBytes)
            for index in 1..<starts.count {
                let number = table.number(of: starts[index - 1]..<starts[index], in: oldBytes, text: oldBytes)
                if let number { isNearby[Int(number)] = true }
            }
        }
    }

    /// Up to so many bytes before and behind the ranges are searched for their lines.
    private static let vicinity = 65_536

    /// All tokens of both sides.
    var whole: Hunk { Hunk(old: 0..<old.count, new: 0..<new.count) }

    /// The bytes that tokens lie in.
    func bytes(of box: Hunk) -> Hunk {
        Hunk(
            old: Int(oldStarts[box.old.lowerBound])..<Int(oldStarts[box.old.upperBound]),
            new: Int(newStarts[box.new.lowerBound])..<Int(newStarts[box.new.upperBound]))
    }

    /// Matching tokens as matching bytes.
    func bytes(of match: Match) -> Match {
        let start = Int(oldStarts[match.old])
        return Match(
            old: start, new: Int(newStarts[match.new]), length: Int(oldStarts[match.old + match.length]) - start)
    }
}
