internal import AlmanacTestRandomness
internal import TextMerge

/// Two texts that are slow to compare.
struct HostilePair {
    let name: String
    let old: String
    let new: String

    /// The time of a merge in which both sides replace the whole base: with the new text, and with its reverse.
    var mergeTime: Duration {
        let mine = String(new.reversed())
        return ContinuousClock().measure { _ = ThreeWay.merge(base: old, theirs: new, mine: mine) }
    }

    static func all() -> [HostilePair] {
        var random = Randomness(seed: 2)
        let length = 1 << 20
        func noise(_ letters: String, lineLength: Int? = nil) -> String {
            let letters = Array(letters.utf8)
            let bytes = (0..<length).map { index in
                if let lineLength, index % lineLength == lineLength - 1 { return UInt8(ascii: "\n") }
                return letters[Int(truncatingIfNeeded: random.next() >> 33) % letters.count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        func lines(_ count: Int, _ line: (Int) -> Int) -> String {
            (0..<count).map { "\(line($0))" }.joined(separator: "\n")
        }
        let alphabet = "abcdefghijklmnopqrstuvwxyz     "
        return [
            HostilePair(name: "1 MiB, no letter in common", old: noise("abcdefg"), new: noise("stuvwxyz")),
            HostilePair(name: "1 MiB of letters on one line", old: noise(alphabet), new: noise(alphabet)),
            HostilePair(name: "1 MiB of bits on one line", old: noise("01"), new: noise("01")),
            HostilePair(
                name: "1 MiB of letters in lines",
                old: noise(alphabet, lineLength: 60), new: noise(alphabet, lineLength: 60)),
            HostilePair(
                name: "a million lines, none in common", old: lines(1_000_000) { $0 }, new: lines(1_000_000) { -$0 - 1 }
            ),
            HostilePair(
                name: "a million lines, shuffled",
                old: lines(1_000_000) { $0 }, new: lines(1_000_000) { $0 &* 7919 % 1_000_003 }),
            HostilePair(
                name: "half a million one-digit lines",
                old: noise("01", lineLength: 2), new: noise("01", lineLength: 2)),
            HostilePair(
                name: "a run of one letter against alternating ones",
                old: String(repeating: "a", count: length), new: String(repeating: "ab", count: length / 2)),
            HostilePair(
                name: "all words equal, some fewer",
                old: "x " + String(repeating: "a ", count: length / 2) + "y",
                new: "z " + String(repeating: "a ", count: length / 2 - 1000) + "w q"),
            HostilePair(
                name: "all lines equal, some fewer",
                old: "x\n" + String(repeating: "- todo\n", count: length / 7) + "y",
                new: "z\n" + String(repeating: "- todo\n", count: length / 7 - 1000) + "w\nq"),
            HostilePair(
                name: "a million empty lines, some fewer",
                old: "x" + String(repeating: "\n", count: length) + "y",
                new: "z" + String(repeating: "\n", count: length - 1000) + "w"),
            HostilePair(
                name: "alternating patterns",
                old: String(repeating: "abc", count: length / 3), new: String(repeating: "bacb", count: length / 4)),
        ]
    }
}
