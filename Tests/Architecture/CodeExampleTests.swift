import Foundation
import Testing

@Suite struct CodeExampleTests {
    @Test func `every example of the documentation is compiled with the tests`() throws {
        let repository = try Repository.this.get()
        let compiled = try
            (repository.files.filter { $0.path.hasSuffix("Tests/Examples.swift") }.map(\.lines)
            + SourceTree.appleExamples())
            .map(CodeExample.comparable)
        let pages = try SourceTree.pages()
        #expect(pages.contains { $0.path == "Sources/Apps/AlmanacConfig/AlmanacConfig.docc/FirstValue.md" })
        let products = repository.files.filter { $0.isInside("Sources/Apps") || $0.isInside("Sources/Core") }
        let examples =
            pages.flatMap { CodeExample.all(in: $0.text, page: $0.path) }
            + products.flatMap { CodeExample.all(in: $0.lines.joined(separator: "\n"), page: $0.path) }
        #expect(examples.count > 30)
        for example in examples {
            #expect(compiled.contains { example.isContained(in: $0) }, "\(example) is in no Tests/…/Examples.swift")
        }
    }

    private static let page = """
        ```swift
        Button("a") {}
        ```

        Text.

        ```swift
        import AlmanacConfig

        let a = 1
        let b = 2
        ```
        """

    @Test func `an example counts as compiled where its lines stand in a row`() {
        let examples = CodeExample.all(in: Self.page, page: "Page.md")
        #expect(examples.map(\.lines) == [["Button(\"a\") {}"], ["let a = 1", "let b = 2"]])
        #expect(examples.map(\.line) == [1, 7])
        #expect(examples[1].isContained(in: ["func f() {", "let a = 1", "let b = 2", "}"]))
        #expect(!examples[1].isContained(in: ["let a = 1", "let c = 3", "let b = 2"]))
        #expect(!examples[0].isContained(in: []))
    }

    @Test func `an example in a comment is one too`() {
        let comment = Self.page.split(separator: "\n").map { "    /// \($0)" }.joined(separator: "\n")
        let examples = CodeExample.all(in: comment, page: "File.swift")
        #expect(examples.map(\.lines) == [["Button(\"a\") {}"], ["let a = 1", "let b = 2"]])
        #expect(CodeExample.all(in: Self.page, page: "File.swift").isEmpty)
    }
}
