import TextMerge

/// The examples of the documentation, compiled here. An architecture test compares them with the article.
enum Examples {
    static func rebasing() -> (text: String, caret: Int, unsent: [DeltaElement]) {
        let base = "milk\nbread"  // what both devices had
        let server = "milk\nbread\neggs"  // what the server has by now
        let local = "oat milk\nbread"  // what was typed here

        let rebased = ThreeWay.rebase(local, from: base, onto: server)
        let text = rebased.text  // "oat milk\nbread\neggs"
        let caret = rebased.change.map(position: 3)  // where the caret behind "oat" goes
        let unsent = rebased.unsent.elements  // ["oat ", 15]: what to send, based on the server's text
        return (text, caret, unsent)
    }

    static func mergingDifferentLines() -> String {
        let merged = ThreeWay.merge(
            base: "milk\nbread",
            theirs: "milk\nbread\neggs",
            mine: "oat milk\nbread")
        return merged.text  // "oat milk\nbread\neggs"
    }

    static func mergingDifferentWordsOfOneLine() -> String {
        let merged = ThreeWay.merge(
            base: "The cat sat on the mat.",
            theirs: "The black cat sat on the mat.",
            mine: "The cat sat on the red mat.")
        return merged.text  // "The black cat sat on the red mat."
    }

    static func mergingTheSamePlace() -> String {
        let merged = ThreeWay.merge(
            base: "- milk\n- bread\n",
            theirs: "- milk\n- bread\n- eggs\n",
            mine: "- milk\n- bread\n- jam\n")
        return merged.text  // "- milk\n- bread\n- eggs\n- jam\n"
    }

    static func mergingTheSameChange() -> String {
        let merged = ThreeWay.merge(
            base: "Meet on Monday.",
            theirs: "Meet on Tuesday.",
            mine: "Meet on Tuesday!")
        return merged.text  // "Meet on Tuesday!"
    }

    static func mergingTheSameWord() -> String {
        let merged = ThreeWay.merge(
            base: "my favourite color",
            theirs: "my favourite colour",
            mine: "my favourite colors")
        return merged.text  // "my favourite colour colors"
    }

    static func mergingAWordThatWasDeletedHereAndEditedThere() -> String {
        let merged = ThreeWay.merge(
            base: "an old song",
            theirs: "an song",
            mine: "an older song")
        return merged.text  // "an older song"
    }

    static func mergingAParagraphAddedByEach() -> String {
        let merged = ThreeWay.merge(
            base: "First.\n\nLast.",
            theirs: "First.\n\nMine came later.\n\nLast.",
            mine: "First.\n\nI was here too.\n\nLast.")
        return merged.text  // "First.\n\nMine came later.\n\nI was here too.\n\nLast."
    }

    static func mergingANumberOrADate() -> String {
        let merged = ThreeWay.merge(
            base: "due 2026-11-22",
            theirs: "due 2026-11-29",
            mine: "due 2026-12-22")
        return merged.text  // "due 2026-11-29 2026-12-22"
    }

    static func mergingATable() -> String {
        let merged = ThreeWay.merge(
            base: "| who | when |\n| Ada | 9:00 |\n",
            theirs: "| who | when |\n| Ada | 9:30 |\n",
            mine: "| who | when |\n| Ada Lovelace | 9:00 |\n")
        return merged.text  // "| who | when |\n| Ada Lovelace | 9:30 |\n"
    }

    static func mergingScriptsWithoutSpaces() -> String {
        let merged = ThreeWay.merge(
            base: "我喜欢猫👍",
            theirs: "我很喜欢猫👍🏽",
            mine: "我喜欢狗👍")
        return merged.text  // "我很喜欢狗👍🏽"
    }

    static func comments() throws -> (String, [DeltaElement], String) {
        let merged = ThreeWay.merge(
            base: "milk\nbread",
            theirs: "milk\nbread\neggs",
            mine: "oat milk\nbread")
        let text = merged.text  // "oat milk\nbread\neggs"
        return (text, try delta(), try applied())
    }

    private static func delta() throws -> [DeltaElement] {
        let elements = Delta.between("The cat sat.", "The cow sat.").elements  // [5, -2, "ow", 5]
        return elements
    }

    private static func applied() throws -> String {
        let text = try Delta([.retain(4), .insert("\nbread")]).apply(to: "milk")  // "milk\nbread"
        return text
    }
}
