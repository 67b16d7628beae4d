import AlmanacUnicode
import Testing

@Suite struct CompatibilityDecompositionTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("Café", "Cafe\u{301}"), ("ﬁ", "fi"), ("ＡＢＣ", "ABC"),
        ("ﾀﾜｰ", "タワー"),
        ("m²", "m2"), ("½", "1\u{2044}2"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("a\u{0}b", "a\u{0}b"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{FDFA}", "صلى الله عليه وسلم"),
        ("👍🏽", "👍🏽"),
    ])
    func `letters come apart from accents, and other ways to write a text become one`(text: String, decomposed: String)
    {
        #expect(Array(text.compatibilityDecomposed.unicodeScalars) == Array(decomposed.unicodeScalars))
    }
}
