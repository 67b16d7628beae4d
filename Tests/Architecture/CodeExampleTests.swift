import Foundation
import Testing

@Suite struct CodeExampleTests {
    @Test func `every example of the documentation is compiled with the tests`() throws {
        let compiled = try Repository.this.get().files.filter { $0.path.hasSuffix("Tests/Examples.swift") }
            .map { CompiledExamples($0.lines.joined(separator: "\n")) }
        let pages = try SourceTree.pages()
        #expect(pages.contains { $0.path == "Sources/Apps/AlmanacConfig/AlmanacConfig.docc/FirstValue.md" })
        let examples = pages.flatMap { CodeExample.all(in: $0.text, page: $0.path) }
        #expect(examples.count > 20)
        for example in examples {
            let isFound = compiled.contains {
                example.stands(in: example.isSaidToBeUncompiled ? $0.onApple : $0.here)
            }
            #expect(isFound, "\(example) is in no Tests/…/Examples.swift")
        }
    }

    private static let page = """
        A view that is
        not compiled or tested by this project:

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

    @Test func `an example counts as compiled where its lines stand in a row, and a view where it says so`() {
        let examples = CodeExample.all(in: Self.page, page: "Page.md")
        #expect(examples.map(\.lines) == [["Button(\"a\") {}"], ["let a = 1", "let b = 2"]])
        #expect(examples.map(\.isSaidToBeUncompiled) == [true, false])
        #expect(examples.map(\.line) == [4, 10])
        let file = CompiledExamples(
            "func f() {\n    let a = 1\n\n    let b = 2\n}\n#if canImport(SwiftUI)\n    let c = 3\n#endif")
        #expect(examples[1].stands(in: file.here))
        #expect(!examples[0].stands(in: file.here))
        #expect(file.onApple == ["let c = 3"])
        let other = CompiledExamples("let a = 1\nlet c = 3\nlet b = 2")
        #expect(!examples[1].stands(in: other.here))
    }
}
