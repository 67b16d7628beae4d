/// Notes of about a kilobyte, the same in every run: a few words are everywhere, most are rare.
struct NoteTexts {
    static let words: [String] = {
        var random = SplitMix(state: 7)
        let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "an", "er", "is", "ol", "un"]
        return (0..<4000).map { _ in
            (0..<Int.random(in: 2...4, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "" }
                .joined()
        }
    }()

    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    mutating func text(bytes: Int) -> String {
        var text = ""
        while text.utf8.count < bytes {
            text += word() + (Int.random(in: 0..<12, using: &random) == 0 ? ".\n" : " ")
        }
        return text
    }

    /// Word number n is the rarer the higher n is.
    mutating func word() -> String {
        let place = Double.random(in: 0..<1, using: &random)
        return Self.words[Int(place * place * place * Double(Self.words.count))]
    }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
