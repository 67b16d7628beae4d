import Testing
import TextMerge

@Suite struct TenMergesTests {
    @Test(arguments: [
        (Examples.mergingDifferentLines(), "oat milk\nbread\neggs"),
        (Examples.mergingDifferentWordsOfOneLine(), "The black cat sat on the red mat."),
        (Examples.mergingTheSamePlace(), "- milk\n- bread\n- eggs\n- jam\n"),
        (Examples.mergingTheSameChange(), "Meet on Tuesday!"),
        (Examples.mergingTheSameWord(), "my favourite colour colors"),
        (Examples.mergingAWordThatWasDeletedHereAndEditedThere(), "an older song"),
        (Examples.mergingAParagraphAddedByEach(), "First.\n\nMine came later.\n\nI was here too.\n\nLast."),
        (Examples.mergingANumberOrADate(), "due 2026-11-29 2026-12-22"),
        (Examples.mergingATable(), "| who | when |\n| Ada Lovelace | 9:30 |\n"),
        (Examples.mergingScriptsWithoutSpaces(), "我很喜欢狗👍🏽"),
    ])
    func `the article's example comes out as it says`(text: String, expected: String) {
        #expect(text.units == expected.units)
    }
}
