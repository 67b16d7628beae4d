import Foundation
import Testing

@Suite struct CodeExampleTests {
    @Test func `every example of the documentation is compiled with the tests`() throws {
        let repository = try Repository.this.get()
        let pages = try SourceTree.pages()
        let products = repository.files.filter { $0.isInside("Sources/Apps") || $0.isInside("Sources/Core") }
        let examples =
            pages.flatMap { CodeExample.all(in: $0.text, page: $0.path) }
            + products.flatMap { CodeExample.all(in: $0.lines.joined(separator: "\n"), page: $0.path) }
        let compiled = try SourceTree.exampleTemplates().flatMap { try $0.examples(of: examples) }
        #expect(examples.contains { $0.page == "README.md" })
        #expect(examples.count > 100)
        for example in examples {
            // An example may be part of another one.
            #expect(
                compiled.contains { $0.text.range(of: example.text, options: .literal) != nil },
                "\(example) has no line '// example: \(example.lines.first ?? "")' in a .swift.in file of Tests")
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
        if a > 0 {
            print(a)
        }
        ```
        """

    @Test func `an example in a comment is read like one in a page`() {
        let comment = Self.page.split(separator: "\n", omittingEmptySubsequences: false).map { "    /// \($0)" }
        for (page, text) in [("Page.md", Self.page), ("File.swift", comment.joined(separator: "\n"))] {
            let examples = CodeExample.all(in: text, page: page)
            #expect(examples.map(\.lines) == [["Button(\"a\") {}"], ["let a = 1", "if a > 0 {", "    print(a)", "}"]])
            #expect(examples.map(\.line) == [2, 10])
        }
        #expect(CodeExample.all(in: Self.page, page: "File.swift").isEmpty)
    }

    @Test func `a template is filled with the examples that it names`() throws {
        let examples = CodeExample.all(in: Self.page, page: "Page.md")
        let template = ExampleTemplate(path: "A.swift.in", text: "func f() {\n    // example: let a=1\n}\n")
        let filled = try template.filled(with: examples)
        #expect(
            filled == """
                #sourceLocation(file: "A.swift.in", line: 1)
                func f() {
                #sourceLocation(file: "Page.md", line: 10)
                    let a = 1
                    if a > 0 {
                        print(a)
                    }
                #sourceLocation(file: "A.swift.in", line: 3)
                }

                """)
        #expect(try template.examples(of: examples).map(\.line) == [10])
    }

    @Test(arguments: [
        ("let b", "no Swift block of the documentation begins with 'let b'; copy the first line of a block"),
        (
            "let a =",
            """
            several Swift blocks of the documentation begin with 'let a ='; add the next line of the block:
            Page.md:2: let a = 1
            Page.md:6: let a = 2
            """
        ),
    ])
    func `a name that is not of one example is an error`(name: String, problem: String) throws {
        let page = "```swift\nlet a = 1\n```\n\n```swift\nlet a = 2\n```\n"
        let examples = CodeExample.all(in: page, page: "Page.md")
        let template = ExampleTemplate(path: "A.swift.in", text: "\n// example: \(name)\n")
        let failure = #expect(throws: ExampleTemplate.Failure.self) { try template.filled(with: examples) }
        #expect(failure?.description == "A.swift.in:2: error: \(problem)")
    }

    @Test func `an example may be the beginning of a longer one`() throws {
        let page = "```swift\nlet a = 1\nlet b = 2\n```\n\n```swift\nlet a = 1\n```\n"
        let examples = CodeExample.all(in: page, page: "Page.md")
        let names = ["let a = 1", "let a ="].map { "// example: \($0)" }.joined(separator: "\n")
        #expect(try ExampleTemplate(path: "", text: names).examples(of: examples).map(\.line) == [7, 2])
    }
}
