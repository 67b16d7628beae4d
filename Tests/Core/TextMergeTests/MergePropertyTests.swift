import AlmanacTestSupport
import Testing
import TextMerge

@Suite(.blocking) struct MergePropertyTests {
    @Test func `random merges are exact from either side`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 20_000) {
            let base = random.text()
            let (theirs, mine) = (random.edit(base), random.edit(base))
            let merged = ThreeWay.merge(base: base, theirs: theirs, mine: mine)
            #expect(try merged.fromTheirs.apply(to: theirs).units == merged.text.units, "\(random.note)")
            #expect(try merged.fromMine.apply(to: mine).units == merged.text.units, "\(random.note)")
            #expect(
                ThreeWay.merge(base: base, theirs: theirs, mine: mine).text.units == merged.text.units, "\(random.note)"
            )
            // Swapping the sides changes only the order, and so the white space between.
            let exchanged = ThreeWay.merge(base: base, theirs: mine, mine: theirs).text
            #expect(ink(exchanged) == ink(merged.text), "\(random.note)")
        }
    }

    private func ink(_ text: String) -> [UInt16] { text.units.filter { ![9, 10, 13, 32].contains($0) }.sorted() }

    @Test func `trivial sides give the other side`() {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 200, standard: 500, long: 5000) {
            let base = random.text()
            let other = random.edit(base)
            for (theirs, mine) in [(base, other), (other, base), (other, other)] {
                #expect(
                    ThreeWay.merge(base: base, theirs: theirs, mine: mine).text.units == other.units, "\(random.note)")
            }
        }
    }

    @Test func `every insertion is there once, every deletion is done, the rest is unchanged`() {
        // Every character is unique, so a test can tell each side's changes without a diff.
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 20_000) {
            var characters = UniqueCharacters()
            let base = characters.take(.random(in: 2...82, using: &random.seed))
            let theirs = characters.edit(base, &random.seed)
            let mine = characters.edit(base, &random.seed)
            let text = ThreeWay.merge(base: String(base), theirs: String(theirs), mine: String(mine)).text
            let merged = Array(text.unicodeScalars)

            let (theirSet, mySet, baseSet) = (Set(theirs), Set(mine), Set(base))
            let expected = theirSet.subtracting(baseSet).union(mySet.subtracting(baseSet))
                .union(baseSet.intersection(theirSet).intersection(mySet))
            #expect(merged.count == expected.count && Set(merged) == expected, "\(random.note)")
            // Characters from one text keep the order of that text.
            #expect(merged.filter(theirSet.contains) == theirs.filter(expected.contains), "\(random.note)")
            #expect(merged.filter(mySet.contains) == mine.filter(expected.contains), "\(random.note)")
            #expect(merged.filter(baseSet.contains) == base.filter(expected.contains), "\(random.note)")
        }
    }

    @Test func `lines that neither side touched are unchanged in a long note`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 5, standard: 10, long: 100) {
            var token = 0
            let base = (0..<600).map { "Line \($0) says what every line of this note says.\n" }
            let sides = (0..<2).map { side in
                var lines = base
                // Each side edits lines of its own third; neither edits the middle third.
                for _ in 0..<60 {
                    let line = Int.random(in: 0..<200, using: &random.seed) + side * 400
                    token += 1
                    lines[line] = "⟦\(side)·\(token)⟧" + lines[line]
                    if random.seed.oneIn(5) { lines[line] = "" }
                }
                return lines
            }
            let merged = ThreeWay.merge(base: base.joined(), theirs: sides[0].joined(), mine: sides[1].joined())
            let expected = sides[0][..<400].joined() + sides[1][400...].joined()
            #expect(merged.text == expected, "\(random.note)")
        }
    }

    @Test func `many devices that sync in any order end with the same text`() {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 50, standard: 100, long: 1000) {
            var characters = UniqueCharacters()
            var server = characters.take(30)
            var inserted = Set(server)
            var devices = Array(repeating: (shadow: server, local: server), count: 4)
            for step in 0..<40 {
                // In the last steps every device syncs twice: to send its changes, and to get those of other devices.
                let device = step < 32 ? Int.random(in: 0..<4, using: &random.seed) : step % 4
                if step < 32 {
                    devices[device].local = characters.edit(devices[device].local, &random.seed)
                    inserted.formUnion(devices[device].local)
                    if random.seed.oneIn(2) { continue }
                }
                let (shadow, local) = devices[device]
                let merged = ThreeWay.merge(base: String(shadow), theirs: String(server), mine: String(local)).text
                let rebased = ThreeWay.rebase(String(local), from: String(shadow), onto: String(server)).text
                #expect(merged.units == rebased.units, "\(random.note)")
                server = Array(merged.unicodeScalars)
                devices[device] = (server, server)
            }
            #expect(devices.allSatisfy { $0.local == server }, "\(random.note)")
            #expect(Set(server).count == server.count, "\(random.note)")
            #expect(Set(server) == inserted.subtracting(characters.deleted), "\(random.note)")
        }
    }
}

/// A source of characters that are all different, of one and of two UTF-16 units.
struct UniqueCharacters {
    private var next: UInt32 = 0
    /// All characters that edits deleted.
    private(set) var deleted: Set<Unicode.Scalar> = []

    mutating func take(_ count: Int) -> [Unicode.Scalar] {
        (0..<count).compactMap { _ in
            next += 1
            // The characters are Chinese, from planes 0 and 2.
            return Unicode.Scalar((next % 3 == 0 ? 0x20000 : 0x4E00) + next)
        }
    }

    /// Edits a line between its first and last character, because a whole deleted line in which the other side wrote
    /// would stay.
    mutating func edit(_ text: [Unicode.Scalar], _ seed: inout Randomness) -> [Unicode.Scalar] {
        var text = text
        for _ in 0..<Int.random(in: 0...5, using: &seed) {
            let start = Int.random(in: 1..<text.count, using: &seed)
            let end = seed.oneIn(2) ? start : min(text.count - 1, start + Int.random(in: 0...8, using: &seed))
            deleted.formUnion(text[start..<end])
            text.replaceSubrange(start..<end, with: take(Int.random(in: 0...3, using: &seed)))
        }
        return text
    }
}

extension String {
    init(_ scalars: [Unicode.Scalar]) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self = String(view)
    }
}
