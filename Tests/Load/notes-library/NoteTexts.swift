internal import AlmanacTestRandomness

/// Notes of about a kilobyte, the same in every run: a few words are everywhere, most are rare.
struct NoteTexts {
    static let words: [String] = {
        var random = Randomness(seed: 7)
        let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "an", "er", "is", "ol", "un"]
        return (0..<4000).map { _ in
            (0..<Int.random(in: 2...4, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "" }
                .joined()
        }
    }()

    private var random: Randomness

    init(seed: UInt64) {
        random = Randomness(seed: seed)
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
