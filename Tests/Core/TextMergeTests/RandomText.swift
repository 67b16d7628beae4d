import AlmanacTestSupport

/// A source of random texts made of difficult characters, and of edits to them.
struct RandomText {
    var seed = Randomness()

    /// The seed, as text that allows a failure to be reproduced.
    var note: String { seed.note }

    private static let pieces = [
        "the ", "cat ", "sat. ", "a", "a", "b", " ", " ", "\n", "\n", "\n\n", "\r\n", "\r", "\t", "é", "e\u{301}",
        "\u{301}",
        "ö\u{308}\u{323}", "ñ", "ß", "שלום ", "\u{200F}",
        "مرحبا", "\u{202B}א\u{202C}", "東", "京", "한",
        "한",
        "😀", "😁", "👍🏽", "🏽", "👩‍👩‍👧‍👦", "\u{200D}",
        "🇩🇪", "🇩", "🇪", "❤\u{FE0F}", "\u{FE0F}",
        "\u{10FFFF}", "\u{FFFD}",
        "\u{FEFF}", "\u{1}", "𝒳", "𐍈",
    ]

    mutating func text(pieces count: ClosedRange<Int> = 0...60) -> String {
        (0..<Int.random(in: count, using: &seed)).map { _ in piece() }.joined()
    }

    mutating func piece() -> String { RandomText.pieces.randomElement(using: &seed) ?? "" }

    /// Returns a text with some parts deleted, inserted, replaced, duplicated or moved.
    mutating func edit(_ text: String, times: ClosedRange<Int> = 0...5) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<Int.random(in: times, using: &seed) {
            let start = Int.random(in: 0...scalars.count, using: &seed)
            let end = min(scalars.count, start + Int.random(in: 0...6, using: &seed))
            switch Int.random(in: 0..<5, using: &seed) {
            case 0: scalars.removeSubrange(start..<end)
            case 1: scalars.insert(contentsOf: piece().unicodeScalars, at: start)
            case 2: scalars.replaceSubrange(start..<end, with: piece().unicodeScalars)
            case 3: scalars.insert(contentsOf: scalars[start..<end], at: start)
            default:
                let moved = scalars[start..<end]
                scalars.removeSubrange(start..<end)
                scalars.insert(contentsOf: moved, at: Int.random(in: 0...scalars.count, using: &seed))
            }
        }
        var edited = String.UnicodeScalarView()
        edited.append(contentsOf: scalars)
        return String(edited)
    }
}

extension String {
    var units: [UInt16] { Array(utf16) }
}

extension Randomness {
    /// Returns true with a probability of one in `count`.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
