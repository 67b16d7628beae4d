import Testing

@Suite struct FolderRuleTests {
    /// Checks the files of one module, given by their paths inside the module.
    private func findings(_ files: KeyValuePairs<String, String>) -> [Finding] {
        let files = files.map { SourceFile(path: "Sources/Domains/Notes/\($0.key)", text: $0.value) }
        return Rule.foldersDependInOneDirection.check(Repository(package: .example, files: files))
    }

    @Test(arguments: [
        // The cases are a type, an extension, a nested type by its full and its short name, and a type alias.
        "struct A { var b: B }",
        "extension B { var a: A { A() } }\nstruct A {}",
        "struct A {}\nlet b = B.Inner()",
        "struct A {}\nextension B { func f(_: Inner) {} }",
        "struct A {}\nlet b = AlmanacNotesDomain.B()",
        "typealias A = [String: B]",
        "struct A { static func make() { let b: any Sequence<B> } }",
    ])
    func `two folders that use each other's types are found`(model: String) {
        let storage = "import A\nstruct B { let a: A\n struct Inner {} }"
        let found = findings(["Model/A.swift": model, "Storage/B.swift": storage])
        #expect(found.count == 1)
        #expect(found.first?.message.contains("A in Sources/Domains/Notes/Storage/B.swift:2") == true)
    }

    @Test func `a circle through a third folder and the module's own folder is found`() {
        let found = findings([
            "Model/A.swift": "struct A { let b: B }", "Storage/B.swift": "enum B { case c(C) }",
            "C.swift": "final class C { let a: A }", "Endpoints/D.swift": "actor D { let a: A, b: B, c: C }",
        ])
        #expect(found.count == 1)
        #expect(found.first?.message.contains("Endpoints") == false)
    }

    @Test(arguments: [
        // The cases are members, labels, comments, texts, and words with another meaning here.
        "let a = other.B, c = [X.B](), d: C = .B",
        "func b(B: Int) { /* B */ print(\"B\") } // B",
        "private struct B {}\nlet b = B()",
        "func f<B: Hashable>(_ b: B) -> B { b }",
        "struct Box<First, B> { let b: B }",
        "func f() { struct B {}; _ = B() }",
        "extension A { struct B {}\n func f() -> B { B() } }",
        "import struct Glibc.B",
        "protocol P { associatedtype B; func b() -> B }",
    ])
    func `words that only look like another folder's type are not`(model: String) {
        let files: KeyValuePairs = [
            "Model/A.swift": "struct A {}\n" + model, "Storage/B.swift": "struct B { let a: A }",
        ]
        #expect(findings(files) == [])
    }

    @Test func `a name that two folders declare points to neither, and layers of folders are no circle`() {
        #expect(
            findings([
                "Model/A.swift": "struct A {}", "Storage/B.swift": "struct B { let a: A }\nstruct Both {}",
                "Endpoints/C.swift": "struct C { let a: A, b: B }\nextension C { struct Both {} }\nstruct Both {}",
                "Model/D.swift": "struct D { let both: Both }",
            ]) == [])
    }

    @Test func `the folders of different modules have nothing to do with each other`() {
        let files = [
            SourceFile(path: "Sources/Domains/Notes/Model/A.swift", text: "struct A { let b: B }"),
            SourceFile(path: "Sources/Apps/AlmanacNotes/Storage/B.swift", text: "struct B { let a: A }"),
        ]
        #expect(Rule.foldersDependInOneDirection.check(Repository(package: .example, files: files)) == [])
    }
}
