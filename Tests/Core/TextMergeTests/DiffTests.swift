import AlmanacTestSupport
import Testing
import TextMerge

@Suite struct DiffTests {
    @Test(
        arguments: [
            ("", "", []),
            ("a", "a", [1]),
            ("", "a", ["a"]),
            ("a", "", [-1]),
            ("a", "b", [-1, "b"]),
            ("The cat sat.", "The cow sat.", [5, -2, "ow", 5]),
            ("milk\nbread", "oat milk\nbread", ["oat ", 10]),
            // A surrogate pair is one unit, even if half of it is unchanged.
            ("😀", "😁", [-2, "😁"]),
            ("a😀b", "a😁b", [1, -2, "😁", 1]),
            ("😀", "🈀", [-2, "🈀"]),
            ("😀😀", "😀", [2, -2]),
            // Texts are compared by bytes, not by canonical equivalence, and a letter stays with its combining mark.
            ("é", "e\u{301}", [-1, "e\u{301}"]),
            ("e\u{301}", "e", [-2, "e"]),
            ("a\r\nb", "a\nb", [1, -1, 2]),
        ] as [(String, String, [DeltaElement])])
    func `small differences are found`(old: String, new: String, elements: [DeltaElement]) {
        #expect(Delta.between(old, new).elements == elements)
    }

    @Test(
        arguments: [
            // The results are those of diff-match-patch's lossless clean-up.
            ("AAA\r\n\r\nBBB\r\nEEE", "AAA\r\n\r\nBBB\r\nDDD\r\n\r\nBBB\r\nEEE", [7, "BBB\r\nDDD\r\n\r\n", 8]),
            ("AAA\r\nBBB EEE", "AAA\r\nBBB DDD\r\nBBB EEE", [5, "BBB DDD\r\n", 7]),
            ("The cat.", "The cat cat.", [4, "cat ", 4]),
            ("The-cat.", "The-cat-cat.", [7, "-cat", 1]),
            ("aaax", "aax", [-1, 3]),
            ("xaaa", "xaa", [3, -1]),
            ("The xxx. The yyy.", "The xxx. The zzz. The yyy.", [8, " The zzz.", 9]),
            // A boundary keeps a word with its space, a line with its end, and a paragraph with the blank line after
            // it.
            ("The cat.", "The cute cat.", [4, "cute ", 4]),
            ("zero\none\ntwo\n", "zero\none\none\ntwo\n", [9, "one\n", 4]),
            ("A\n\nB\n\nC", "A\n\nB\n\nB\n\nC", [6, "B\n\n", 1]),
            ("one two three", "one three", [4, -4, 5]),
            ("One. Two. Three.", "One. Three.", [4, -5, 7]),
            // No boundary separates a letter from its mark, or parts of an emoji.
            ("xe\u{301}e\u{301}y", "xe\u{301}y", [3, -2, 1]),
            ("👍🏽👍🏽", "👍🏽", [4, -4]),
            ("aaa", "aaaa", [3, "a"]),
        ] as [(String, String, [DeltaElement])])
    func `boundaries are where a person would see them`(old: String, new: String, elements: [DeltaElement]) {
        #expect(Delta.between(old, new).elements == elements)
    }

    @Test func `a random edit is reproduced to the last unit`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 500, standard: 2000, long: 20_000) {
            let old = random.text()
            let new = random.seed.oneIn(4) ? random.text() : random.edit(old)
            try expectExact(from: old, to: new, random.seed)
        }
    }

    @Test func `a random edit of a long text is reproduced to the last unit`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 10, standard: 20, long: 300) {
            let old = random.text(pieces: 1500...4000)
            let new = random.edit(old, times: 0...200)
            try expectExact(from: old, to: new, random.seed)
        }
    }

    @Test func `words that stay in their order are kept`() {
        var missed = 0
        for _ in 0..<400 {
            var random = Randomness(seed: Randomness().seed)
            var log = WordLog()
            let old = RandomWriter.text(lines: 4, &log, &random)
            var new = old
            for _ in 0..<4 {
                new = RandomWriter.delete(from: new, &log, &random)
                new = RandomWriter.insert(into: RandomWriter.rewrite(in: new, &log, &random), &log, &random)
            }
            var (kept, deleted, inserted) = ("", "", "")
            var start = 0
            let units = old.units
            for operation in Delta.between(old, new).operations {
                switch operation {
                case .retain(let length):
                    kept += String(decoding: units[start..<start + length], as: UTF16.self) + " "
                    start += length
                case .delete(let length):
                    deleted += String(decoding: units[start..<start + length], as: UTF16.self) + " "
                    start += length
                case .insert(let text): inserted += text + " "
                }
            }
            let known = Set(WordLog.words(of: old).filter(log.has))
            // A single-character word weighs no more than a filler beside it, so it may be missed.
            let staying = known.subtracting(log.removed).filter { $0.count > 1 }
            let isKept =
                staying.isSubset(of: Set(WordLog.words(of: kept)))
                && staying.isDisjoint(with: WordLog.words(of: deleted))
                && staying.isDisjoint(with: WordLog.words(of: inserted))
            if !isKept { missed += 1 }
        }
        // If a longer filler is repeated beside a word, the word looks moved.
        #expect(missed <= 8)
    }

    @Test func `the same texts always give the same delta`() {
        var random = RandomText()
        let old = random.text(pieces: 3000...3000)
        let new = random.edit(old, times: 300...300)
        let first = Delta.between(old, new)
        for _ in 0..<5 { #expect(Delta.between(old, new) == first, "\(random.note)") }
    }

    @Test func `a line that moved leaves the lines around it alone`() throws {
        let lines = (0..<400).map { "line \($0) of a note that is long enough\n" }
        let moved = lines[0..<100] + lines[101..<300] + [lines[100]] + lines[300...]
        let delta = Delta.between(lines.joined(), moved.joined())
        #expect(delta.operations.count == 5)
        #expect(try delta.apply(to: lines.joined()) == moved.joined())
    }

    private func expectExact(from old: String, to new: String, _ seed: Randomness) throws {
        let delta = Delta.between(old, new)
        #expect(try delta.apply(to: old).units == new.units, "\(seed.note)")
        #expect(delta.baseLength == old.units.count, "\(seed.note)")
        #expect(delta.resultLength == new.units.count, "\(seed.note)")
        #expect(Delta(delta.operations) == delta, "\(seed.note)")
        #expect(delta.isIdentity == (old.units == new.units), "\(seed.note)")
    }
}
