import AlmanacSearching
import Testing

@Suite struct SearchQueryTests {
    typealias Term = SearchQuery.Term

    @Test(
        arguments: [
            ("", []), ("  \n", []), ("-", []), ("tag:", []), ("-tag:", []), (#"""#, []), (#""""#, []), (#"tag:""#, []),
            (#"-tag:"""#, []),
            ("oat milk", [[Term("oat"), Term("milk")]]), ("oat\u{A0}milk", [[Term("oat"), Term("milk")]]),
            (#""oat milk" bread"#, [[Term("oat milk", isWhole: true), Term("bread")]]),
            (#""oat mil"#, [[Term("oat mil")]]), (#"a"b c""#, [[Term(#"a"b"#), Term(#"c""#)]]),
            (#""a"b"#, [[Term("a", isWhole: true), Term("b")]]),
            ("-oat", [[Term("oat", isWhole: true, isExcluded: true)]]),
            ("--oat", [[Term("-oat", isWhole: true, isExcluded: true)]]),
            ("-oat*", [[Term("oat*", isExcluded: true)]]), (#"-"oat mil"#, [[Term("oat mil", isExcluded: true)]]),
            ("tag:work", [[Term("work", isTag: true)]]), ("TAG:Work", [[Term("Work", isTag: true)]]),
            (#"-tag:"two words" x"#, [[Term("two words", isTag: true, isExcluded: true), Term("x")]]),
            ("xtag:work", [[Term("xtag:work")]]), (#""tag:work""#, [[Term("tag:work", isWhole: true)]]),
            ("tag: work", [[Term("work")]]), ("tag:tag:", [[Term("tag:", isTag: true)]]),
            ("a or b", [[Term("a")], [Term("b")]]), ("a OR b c", [[Term("a")], [Term("b"), Term("c")]]),
            ("or", [[Term("or")]]), ("or a", [[Term("or"), Term("a")]]), ("a or", [[Term("a"), Term("or")]]),
            ("a or or b", [[Term("a")], [Term("or"), Term("b")]]), ("a or -", [[Term("a"), Term("or")]]),
            (#"a "or" b"#, [[Term("a"), Term("or", isWhole: true), Term("b")]]),
            ("a -or b", [[Term("a"), Term("or", isWhole: true, isExcluded: true), Term("b")]]),
            ("\"\u{301}", [[Term("\u{301}")]]),
        ] as [(String, [[Term]])])
    func `a query is read term by term`(text: String, alternatives: [[Term]]) {
        #expect(SearchQuery(text).alternatives == alternatives)
    }

    @Test func `tags from elsewhere belong to each alternative`() {
        let work = Term("work", isTag: true)
        #expect(SearchQuery("a or b", tags: ["work"]).alternatives == [[Term("a"), work], [Term("b"), work]])
        #expect(SearchQuery("", tags: ["work"]).alternatives == [[work]])
    }

    @Test(
        arguments: [
            ("tag:a tag:b", ["a", "b"]), ("", []), ("tag:a or tag:b", nil), ("-tag:a", nil), ("tag:a b", nil),
            ("...", nil),
        ] as [(String, [String]?)])
    func `tags alone are told from other searches`(text: String, tags: [String]?) {
        #expect(SearchQuery(text).tagsAlone == tags)
    }
}
