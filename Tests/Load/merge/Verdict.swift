/// A comparison of a merged text with the authors' own result for the same three texts.
struct Verdict {
    let isExact: Bool

    /// Words in none of base, theirs, mine and expected.
    let woven: [Substring.UnicodeScalarView]

    /// Missing words that a side added and that the authors' result contains.
    let lost: [Substring.UnicodeScalarView]

    /// Words that occur more often than in any of the four texts, and than the additions of both sides explain.
    let doubled: [Substring.UnicodeScalarView]

    init(_ merged: String, of texts: Corpus.Case) {
        isExact = merged.utf8.elementsEqual(texts.expected.utf8)
        let counts = [texts.base, texts.theirs, texts.mine, texts.expected, merged].map(Verdict.words)
        let (base, theirs, mine, expected, found) = (counts[0], counts[1], counts[2], counts[3], counts[4])
        woven = found.keys.filter { word in !counts[..<4].contains { $0[word] != nil } }.map(\.text)
        lost = expected.keys.filter { word in
            found[word] == nil && base[word] == nil && (theirs[word] != nil || mine[word] != nil)
        }.map(\.text)
        doubled = found.filter { word, count in
            let (inBase, inTheirs, inMine) = (base[word] ?? 0, theirs[word] ?? 0, mine[word] ?? 0)
            let added = max(0, inTheirs - inBase) + max(0, inMine - inBase)
            return count > max(inBase + added, expected[word] ?? 0)
        }.map(\.key.text)
    }

    /// Returns the number of occurrences of each word in a text.
    private static func words(of text: String) -> [Word: Int] {
        var counts: [Word: Int] = [:]
        for word in text.unicodeScalars.split(whereSeparator: isBorder) { counts[Word(text: word), default: 0] += 1 }
        return counts
    }

    private static func isBorder(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || borders.contains(scalar)
    }

    private static let borders = Set("[](){}<>\"'`,.;:!?*_/|=#-".unicodeScalars)

    /// A word, compared by its scalars and not by canonical equivalence.
    private struct Word: Hashable {
        let text: Substring.UnicodeScalarView

        static func == (left: Word, right: Word) -> Bool { left.text.elementsEqual(right.text) }

        func hash(into hasher: inout Hasher) { for scalar in text { hasher.combine(scalar) } }
    }
}
