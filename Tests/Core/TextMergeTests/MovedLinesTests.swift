import AlmanacTestSupport
import Testing
import TextMerge

@Suite(.blocking) struct MovedLinesTests {
    @Test func `a word goes where its line went`() {
        let base = "- ask the plumber\n- buy oat milk\n- call Grandma about Sunday\n- water the plants\n"
        let moved = "- call Grandma about Sunday\n- ask the plumber\n- buy oat milk\n- water the plants\n"
        let edited = base.replacing("Sunday", with: "Saturday")
        let expected = moved.replacing("Sunday", with: "Saturday")
        #expect(ThreeWay.merge(base: base, theirs: moved, mine: edited).text == expected)
        #expect(ThreeWay.merge(base: base, theirs: edited, mine: moved).text == expected)
    }

    @Test func `a line that was put between moved lines goes along`() {
        let base = "# Trip\n\nPack the tent.\nPack the stove.\n\n# Work\n\nWrite to Bo.\n"
        let moved = "# Work\n\nWrite to Bo.\n\n# Trip\n\nPack the tent.\nPack the stove.\n"
        let edited = base.replacing("the tent.\n", with: "the tent.\nAnd the pegs.\n")
        #expect(
            ThreeWay.merge(base: base, theirs: moved, mine: edited).text
                == moved.replacing("the tent.\n", with: "the tent.\nAnd the pegs.\n"))
    }

    @Test func `lines that both sides moved stay`() {
        let base = "one apple\ntwo pears\nthree plums\nfour figs\nfive kiwis\n"
        let theirs = "two pears\nthree plums\none apple\nfour figs\nfive kiwis\n"
        let mine = "two pears\nthree plums\nfour figs\nfive kiwis\none apple\n"
        let merged = ThreeWay.merge(base: base, theirs: theirs, mine: mine).text
        for line in base.split(separator: "\n") { #expect(merged.contains(line)) }
    }

    @Test(arguments: Block.allCases)
    fileprivate func `a word that is replaced in a block comes out in that block, wherever it was moved`(_ block: Block)
        throws
    {
        for _ in 0..<TestDepth.runs(quick: 50, standard: 150, long: 2000) {
            var random = Randomness(seed: Randomness().seed)
            let blocks = (0..<Int.random(in: 4...12, using: &random)).map { _ in block.lines(&random) }
            var order = Array(blocks.indices)
            order.insert(
                order.remove(at: .random(in: blocks.indices, using: &random)),
                at: .random(in: 0..<blocks.count, using: &random))
            var changed = blocks
            let place = Int.random(in: blocks.indices, using: &random)
            changed[place] = Block.changed(blocks[place], to: "zebra", &random)
            func text(_ blocks: [String], _ order: some Sequence<Int>) -> String {
                "# Things\n\n" + order.map { blocks[$0] }.joined() + "\nThe end.\n"
            }
            let merged = ThreeWay.merge(
                base: text(blocks, blocks.indices), theirs: text(blocks, order), mine: text(changed, blocks.indices))
            #expect(merged.text == text(changed, order), "\(random.note)")
            #expect(try merged.fromTheirs.apply(to: text(blocks, order)) == merged.text, "\(random.note)")
            #expect(try merged.fromMine.apply(to: text(changed, blocks.indices)) == merged.text, "\(random.note)")
        }
    }

    @Test func `each word that either side writes is there once, whatever both of them move`() throws {
        for _ in 0..<TestDepth.runs(quick: 200, standard: 500, long: 10_000) {
            var random = Randomness(seed: Randomness().seed)
            let block = Block.allCases.randomElement(using: &random)!
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in block.lines(&random) }.joined()
            let base = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { "\($0)\n" }
            var written = 0
            let theirs = MovedLinesTests.edited(base, &written, &random).joined()
            let mine = MovedLinesTests.edited(base, &written, &random).joined()
            let merged = ThreeWay.merge(base: text, theirs: theirs, mine: mine)
            let note = "\(random.note)\n\(text)\n---\n\(theirs)\n---\n\(mine)\n---\n\(merged.text)"
            let words = MovedLinesTests.written(in: merged.text)
            #expect(words.sorted() == Set(MovedLinesTests.written(in: theirs + mine)).sorted(), "\(note)")
            #expect(try merged.fromTheirs.apply(to: theirs) == merged.text, "\(random.note)")
            #expect(try merged.fromMine.apply(to: mine) == merged.text, "\(random.note)")
        }
    }

    private static func written(in text: String) -> [Substring] { text.matches(of: /written[0-9]+x/).map(\.output) }

    /// Returns the lines after a few edits that insert words never used before.
    private static func edited(_ lines: [String], _ written: inout Int, _ random: inout Randomness) -> [String] {
        func word() -> String {
            written += 1
            return "written\(written)x"
        }
        var lines = lines
        for _ in 0..<Int.random(in: 1...5, using: &random) where !lines.isEmpty {
            let place = Int.random(in: lines.indices, using: &random)
            let run = place..<min(lines.count, place + Int.random(in: 1...4, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let moved = lines[run]
                lines.removeSubrange(run)
                lines.insert(contentsOf: moved, at: .random(in: 0...lines.count, using: &random))
            case 1: lines[place] = Block.changed(lines[place], to: word(), &random)
            case 2: lines.insert("\(word()) \(word())\n", at: place)
            case 3: lines[place] = "\(word()) \(word()) \(word())\n"
            default: lines.removeSubrange(run)
            }
        }
        return lines
    }
}

/// Blocks of lines, with many lines common to all blocks of a kind.
private enum Block: CaseIterable {
    case row, task, section, paragraph

    func lines(_ random: inout Randomness) -> String {
        switch self {
        case .row:
            "<tr>\n<td>\(Block.name(&random))</td>\n<td><img src=\"a.png\"></td>\n"
                + "<td>\n\(Block.sentence(&random))\n</td>\n<td><img src=\"b.png\"></td>\n</tr>\n"
        case .task:
            "- [ ] \(Block.sentence(&random))\n  - \(["call back", "ask again"].randomElement(using: &random)!)\n"
        case .section:
            "## \(Block.name(&random))\n\n\(Block.sentence(&random))\n\n```sh\nalmanac \(Block.name(&random))\n```\n\n"
        case .paragraph: "\(Block.sentence(&random)) \(Block.sentence(&random))\n\n"
        }
    }

    static func name(_ random: inout Randomness) -> String {
        String((0..<6).map { _ in "abcdefghijklmnop".randomElement(using: &random)! })
    }

    static func sentence(_ random: inout Randomness) -> String {
        let words = ["milk", "bread", "the", "a", "garden", "water", "and", "of", "with", "house", "letter", "stone"]
        let count = Int.random(in: 3...8, using: &random)
        return (0..<count).map { _ in words.randomElement(using: &random)! }.joined(separator: " ") + "."
    }

    /// Returns a text with one of its words, if any, replaced by another.
    static func changed(_ text: String, to word: String, _ random: inout Randomness) -> String {
        guard let place = text.matches(of: /\b[a-z]{3,}\b/).randomElement(using: &random)?.range else { return text }
        return text[..<place.lowerBound] + word + text[place.upperBound...]
    }
}
