import AlmanacTestSupport
import Testing
import TextMerge

@Suite struct MergeTests {
    @Test func `the example of the first page does what it says`() {
        let (text, caret, unsent) = Examples.rebasing()
        #expect(text == "oat milk\nbread\neggs")
        #expect(caret == 3)
        #expect(unsent == [.text("oat "), .integer(15)])
    }

    @Test(arguments: [
        // Trivial sides.
        ("", "", "", ""),
        ("base", "base", "base", "base"),
        ("base", "theirs", "base", "theirs"),
        ("base", "base", "mine", "mine"),
        ("base", "same", "same", "same"),
        ("", "theirs", "mine", "theirs mine"),
        ("base", "", "base", ""),
        // Changes in different places.
        ("milk\nbread", "milk\nbread\neggs", "oat milk\nbread", "oat milk\nbread\neggs"),
        ("one two three", "two three", "one two", "two"),
        // Changes in the same place: theirs, then mine; once if both are the same.
        ("a c", "a x c", "a y c", "a x y c"),
        ("ac", "axc", "axc", "axc"),
        ("ac", "axcz", "axc", "axcz"),
        ("the cat", "the dog", "the cow", "the dog cow"),
        ("old", "NEW", "NEW", "NEW"),
        ("one old two", "one NEW two", "one NEW two!", "one NEW two!"),
        // Deletions by both sides, apart and overlapping.
        ("abcdef", "adef", "abcf", "adef abcf"),
        ("abcdef", "aef", "abf", "aef abf"),
        ("abcdef", "abef", "af", "af"),
        ("abcdef", "", "abf", "abf"),
        // An edit inside text that the other side deleted stays. If that side deleted a whole sentence or line, it
        // stays too.
        ("abcdef", "af", "abcXdef", "af abcXdef"),
        ("keep. gone. keep.", "keep. keep.", "keep. go!ne. keep.", "keep. go!ne. keep."),
        ("a very old and small house", "a house", "a very old and tiny small house", "a tiny house"),
        ("- tea\n- egg\n- rice", "- egg\n- rice\n- tea", "- mint tea\n- egg\n- rice", " mint\n- egg\n- rice\n- tea"),
        ("We met. The cat sat.", "We met.", "We met. The black cat sat.", "We met. The black cat sat."),
        ("下雨。在家。走。", "下雨。走。", "下雨。在家里。走。", "下雨。在家里。走。"),
        ("one\n\nthe text\nthree", "one\nthree", "one\n\nthe edited text\nthree", "one\n\nthe edited text\nthree"),
        ("- [ ] milk\n- [ ] eggs\n", "- [ ] milk\n", "- [ ] milk\n- [x] eggs\n", "- [ ] milk\n- [x] eggs\n"),
        ("- [ ] milk\n- [ ] eggs\n", "", "- [ ] milk\n- [ ] six eggs\n", "- [ ] six eggs\n"),
        ("# T\n\none\n\ntwo\n\nend\n", "# T\n\nend\n", "# T\n\none\n\ntwo!\n\nend\n", "# T\n\ntwo!\n\nend\n"),
        (
            "# T\n\nEier kaufen\n\nZoë anrufen\n\nEnde\n", "# T\n\nEnde\n",
            "# T\n\nsechs Eier kaufen\n\nZoë heute anrufen\n\nEnde\n",
            "# T\n\nsechs Eier kaufen\n\nZoë heute anrufen\n\nEnde\n"
        ),
        (
            "# T\n\nEier kaufen\n\nZoë anrufen\n\nEnde\n", "# T\n\nEnde\n",
            "# T\n\nEier kaufen\n\nZoë heute anrufen\n\nEnde\n", "# T\n\nZoë heute anrufen\n\nEnde\n"
        ),
        // A word replaced throughout the text is removed with a passage that the other side deleted.
        ("big cat\nmy cat", "big dog\nmy dog", "my cat", "my dog"),
        ("big cat\nmy cat", "my cat", "big dog\nmy dog", "my dog"),
        (
            "Next-Page, Total-Records, Last\nTotal-Records: 3", "Next-Page, Total-Objects, Last\nTotal-Objects: 3",
            "Next-Page, Last", "Next-Page, Last"
        ),
        // The replacement stays if only the word was deleted, or if the word was replaced once or by different words.
        ("big cat\nmy cat", "big dog\nmy dog", "big \nmy cat", "big dog\nmy dog"),
        ("big cat\nmy bird", "big dog\nmy bird", "my bird", "big dog\nmy bird"),
        ("big cat\nmy cat", "big dog\nmy cow", "my cat", "big dog\nmy cow"),
        // Two words keep a space between them if both sides' deletions together remove everything between.
        ("👍🏽 (a) 🛒 🍎", "👍🏽 🛒 🍎", "👍🏽 (a) 🍎", "👍🏽 🍎"),
        ("👍🏽 (a)\n- [ ] 🍎", "👍🏽 ] 🍎", "👍🏽 (a)\n🍎", "👍🏽 🍎"),
        // An inserted line stays separate if the line before it is deleted.
        ("new\n\nold\n\n1.15\n", "new\n\n1.15\n", "new\n\nold\n- more\n1.15\n", "new\n\n- more\n1.15\n"),
        // A replacement appears where the replaced text began.
        ("abcdef", "aXYef", "abcMdef", "aXYef abcMdef"),
        ("abc", "XYZ", "!abc", "!XYZ"),
        ("abc", "XYZ", "abc!", "XYZ!"),
        // Characters of more than one unit.
        ("a😀b", "a😁b", "a😂b", "a😁😂b"),
        ("😀", "😀😁", "😂😀", "😂😀😁"),
        ("é", "e\u{301}", "é!", "e\u{301}!"),
        ("a\r\nb", "a\nb", "a\r\nbc", "a\nbc"),
        ("שלום", "שלום עולם", "!שלום", "!שלום עולם"),
    ])
    func `both sides' changes are in the merged text`(base: String, theirs: String, mine: String, text: String) throws {
        let merged = ThreeWay.merge(base: base, theirs: theirs, mine: mine)
        #expect(merged.text.units == text.units)
        #expect(try merged.fromTheirs.apply(to: theirs).units == text.units)
        #expect(try merged.fromMine.apply(to: mine).units == text.units)
    }

    @Test func `trivial sides take no change`() {
        #expect(ThreeWay.merge(base: "a", theirs: "b", mine: "a").fromTheirs.isIdentity)
        #expect(ThreeWay.merge(base: "a", theirs: "a", mine: "b").fromMine.isIdentity)
        let same = ThreeWay.merge(base: "a", theirs: "b", mine: "b")
        #expect(same.fromTheirs.isIdentity && same.fromMine.isIdentity)
    }

    @Test func `a caret stays with its text while the other side's changes arrive`() {
        let rebased = ThreeWay.rebase("milk\nbread and jam", from: "milk\nbread", onto: "two milk\nbread")
        #expect(rebased.text == "two milk\nbread and jam")
        #expect(rebased.change.elements == ["two ", 18])
        #expect(rebased.unsent.elements == [14, " and jam"])
        #expect(rebased.change.map(position: 18) == 22)
    }

    @Test func `a rebase is the merge that the server does`() {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 100, standard: 200, long: 5000) {
            let base = random.text()
            let (server, local) = (random.edit(base), random.edit(base))
            let rebased = ThreeWay.rebase(local, from: base, onto: server)
            let merged = ThreeWay.merge(base: base, theirs: server, mine: local)
            #expect(rebased.text.units == merged.text.units, "\(random.note)")
            #expect(rebased.change == merged.fromMine, "\(random.note)")
            #expect(rebased.unsent == merged.fromTheirs, "\(random.note)")
        }
    }
}
