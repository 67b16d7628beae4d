import Testing

@Suite struct ArchitectureTests {
    @Test(arguments: Rule.all)
    func `every file keeps the rule`(rule: Rule) throws {
        let findings = try SourceTree.files().flatMap(rule.check)
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    @Test func `the files that the rules look at are those of the repository`() throws {
        let paths = try SourceTree.files().map(\.path)
        #expect(paths.contains("Sources/Programs/AlmanacWorker/main.swift"))
        #expect(paths.contains("Tests/Architecture/ArchitectureTests.swift"))
        #expect(!paths.contains { $0.contains(".build") })
    }

    @Test func `every module of the layers exists`() throws {
        let modules = Set(try SourceTree.files().compactMap(\.module))
        #expect(Set(ModuleOrder.layers.joined()).subtracting(modules).isEmpty)
    }
}
