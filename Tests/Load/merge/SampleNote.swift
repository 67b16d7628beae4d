internal import AlmanacTestRandomness

/// A note with two edits, the same in every run.
struct SampleNote {
    let name: String
    let base: String
    let theirs: String
    let mine: String

    /// - Parameters:
    /// - kilobytes: the approximate length of the note.
    /// - rewrites: `true` to rewrite a fifth of the sentences, `false` to change one word.
    init(kilobytes: Int, rewrites: Bool) {
        name = "\(kilobytes) KB, " + (rewrites ? "a fifth rewritten" : "one word changed")
        var random = Randomness(seed: 1)
        var lines: [[String]] = []
        var length = 0
        while length < kilobytes * 1024 {
            let sentences = (0..<Int.random(in: 1...6, using: &random)).map { _ in SampleNote.sentence(&random) }
            lines.append(sentences)
            length += sentences.reduce(1) { $0 + $1.utf8.count }
        }
        base = SampleNote.joined(lines)
        theirs = SampleNote.joined(SampleNote.edited(lines, rewrites: rewrites, at: 1, &random))
        mine = SampleNote.joined(SampleNote.edited(lines, rewrites: rewrites, at: 2, &random))
    }

    private static func edited(
        _ lines: [[String]], rewrites: Bool, at third: Int, _ random: inout Randomness
    ) -> [[String]] {
        var lines = lines
        if rewrites {
            for line in lines.indices {
                for sentence in lines[line].indices where Int.random(in: 0..<5, using: &random) == 0 {
                    lines[line][sentence] = self.sentence(&random)
                }
            }
        } else {
            let line = lines.count * third / 3
            lines[line][0] = "Changed " + lines[line][0].drop { $0 != " " }.dropFirst()
        }
        return lines
    }

    private static func sentence(_ random: inout Randomness) -> String {
        let words = (0..<Int.random(in: 4...14, using: &random)).map { _ in
            SampleNote.words.randomElement(using: &random) ?? ""
        }
        return words.joined(separator: " ") + ". "
    }

    private static func joined(_ lines: [[String]]) -> String {
        lines.map { $0.joined() }.joined(separator: "\n")
    }

    private static let words = """
        the of and to in a is that for it as was with be by on not he his but at are this have from or had an they \
        which one you were all her she there would their we him been has when who will no more if out so up said what \
        its about than into them can only other time new some could these two may first then do any like my now over \
        such our man me even most made after also did many off before must well back through years much where your way \
        down should because long each just state those people too mr how little good world make very year still see \
        own work men day get here old life both between being under three never know same last another while us might \
        great go come since against right came take used himself few house american use place during high without \
        again home around small however found mrs part school thought went say general once upon war every left Käse \
        Überraschung naïve piñata déjà größer Straße café 東京 привет мир שלום 🍎 \
        👩‍👩‍👧 🥖
        """.split(separator: " ").map(String.init)
}
