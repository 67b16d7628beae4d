import Testing

@Suite struct SourceFileTests {
    @Test func `comments and the insides of texts are not code`() {
        let file = SourceFile(
            path: "Sources/A/B.swift",
            text: """
                let a = "b // c" // d "e"
                /* f /* g */ "h" */ let i = 1
                """)
        #expect(file.code == [#"let a = "      "         "#, "                    let i = 1"])
        #expect(file.comments[0].hasSuffix(#"// d "e""#))
        #expect(file.comments[1].hasPrefix(#"/* f /* g */ "h" */ "#))
        #expect(file.literals == [SourceFile.Literal(line: 1, text: "b // c")])
    }

    @Test func `code inside a text is code`() {
        let file = SourceFile(path: "Sources/A/B.swift", text: #"print("a \(b("c)", d)) e", f)"#)
        #expect(file.code[0].filter { $0 != " " } == #"print("b("",d)",f)"#)
        #expect(file.literals.map(\.text) == ["c)", "a  e"])
    }

    @Test func `raw texts and texts of several lines end where they end`() {
        let file = SourceFile(
            path: "Sources/A/B.swift",
            text: "let a = #\"b \"c\" \\(d)\"#\nlet e = \"\"\"\n  f \"g\"\n  \"\"\"; let h = 1")
        #expect(
            file.literals == [
                SourceFile.Literal(line: 1, text: #"b "c" \(d)"#), SourceFile.Literal(line: 2, text: "\n  f \"g\"\n  "),
            ])
        #expect(file.code.last?.hasSuffix("; let h = 1") == true)
    }
}
