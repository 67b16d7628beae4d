import AlmanacTestSupport
import Testing
import TextMerge

/// Merges adjacent changes of both sides, each of which must stay whole.
@Suite struct RewrittenLinesTests {
    @Test(arguments: [
        (
            "Milk is on the shelf.\n", "Two bottles of wine.\n", "Nobody went shopping today.\n",
            "Two bottles of wine.\nNobody went shopping today.\n"
        ),
        (
            "- Fix the crash on start (#12)\n- Major version update.\n",
            "- Fix the crash on start (#12)\n- Cache less between two sessions (#593)\n",
            "- Fix the crash on start (#12)\n- Merged the two packages.\n",
            "- Fix the crash on start (#12)\n- Cache less between two sessions (#593)\n- Merged the two packages.\n"
        ),
        (
            "<td>\nMusic every day.\n</td>\n", "<td>\nLetters from the north.\n</td><td>\nOpen all week.\n</td>\n",
            "<td>\nA quiet house.\n</td>\n",
            "<td>\nLetters from the north.\n</td><td>\nOpen all week.\nA quiet house.\n</td>\n"
        ),
        (
            "```\nlist the notes\n```\n", "```\nshow one note\n```\nText.\n```\nprint it twice\n```\n",
            "```\nerase everything now\n```\n",
            "```\nshow one note\n```\nText.\n```\nprint it twice\nerase everything now\n```\n"
        ),
    ])
    func `lines that both sides wrote anew stay whole`(base: String, theirs: String, mine: String, expected: String) {
        #expect(ThreeWay.merge(base: base, theirs: theirs, mine: mine).text == expected)
    }

    @Test(arguments: [
        ("<tr>\n<td>old</td>\n</tr>\n", "<tr>\n<td>new</td>\n</tr>\n", "<tr>", "<tr class=\"x\">"),
        ("```sh\nls\n```\n", "```sh\npwd\n```\n", "```sh", "```zsh"),
        ("if (a) {\n  b();\n}\n", "if (a) {\n  c();\n}\n", "if (a) {", "if (a && d) {"),
        ("- item:\n  - one\n", "- item:\n  - two\n", "- item:", "- list:"),
    ])
    func `a block that is put before another leaves it its first line`(
        block: String, other: String, first: String, changed: String
    ) {
        let base = "Text before.\n\(block)\(block)Text behind.\n"
        let theirs = "Text before.\n\(block)\(other)\(block)Text behind.\n"
        let last = base.ranges(of: first).last!
        let mine = base[..<last.lowerBound] + changed + base[last.upperBound...]
        let expected = "Text before.\n\(block)\(other)\(changed)\(block.dropFirst(first.count))Text behind.\n"
        #expect(ThreeWay.merge(base: base, theirs: theirs, mine: String(mine)).text == expected)
        #expect(ThreeWay.merge(base: base, theirs: String(mine), mine: theirs).text == expected)
    }

    @Test func `a line with an edit stays whole where the other side wrote all lines anew`() {
        let base = "colander==1.2\nenum34==1.1.5\nraven==5.16.0\nwheel==0.24.0\n"
        let theirs = "colander==1.2\nenum34==1.1.6\nraven==5.17.0\nwheel==0.24.0\n"
        let merged = ThreeWay.merge(base: base, theirs: theirs, mine: "# Make this anew after the merge.\n").text
        #expect(merged == "# Make this anew after the merge.\nenum34==1.1.6\nraven==5.17.0\n")
    }

    @Test func `words that two people change in one line come together`() {
        #expect(
            ThreeWay.merge(
                base: "Buy two bottles of milk today.\n", theirs: "Buy three bottles of milk today.\n",
                mine: "Buy two bottles of milk tomorrow.\n"
            ).text == "Buy three bottles of milk tomorrow.\n")
    }
}
