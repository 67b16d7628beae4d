import AlmanacTestSupport
import Foundation
import Testing

@Suite(.blocking) struct ArchitectureTests {
    private let repository: Repository

    init() throws { repository = try Repository.this.get() }

    @Test(arguments: Rule.all)
    func `the repository keeps the rule`(rule: Rule) {
        let findings = rule.check(repository)
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    @Test func `the files that the rules look at are those of the repository`() {
        let paths = repository.files.map(\.path)
        #expect(paths.contains("Sources/Programs/AlmanacWorker/main.swift"))
        #expect(paths.contains("Tests/Architecture/ArchitectureTests.swift"))
        #expect(!paths.contains { $0.contains(".build") })
    }

    @Test func `the layers are the folders of Sources`() throws {
        let package = repository.package
        #expect(package.layers == ["C", "Platform", "Core", "Domains", "Apps", "Programs", "Examples"])
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Sources").path)
        // The pages are no module of the package: Tests/Web/state/architecture.test.js checks their rules.
        #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == (package.layers + ["Web"]).sorted())
    }

    @Test func `every target has files, and every folder of a layer is a target`() throws {
        for target in repository.package.targets where target.layer != "C" {
            #expect(repository.files.contains { $0.isInside(target.path) }, "\(target.name)")
        }
        for layer in repository.package.layers {
            let folder = "Sources/\(layer)"
            let names = try FileManager.default.contentsOfDirectory(
                atPath: SourceTree.root.appendingPathComponent(folder).path)
            for name in names where !name.hasPrefix(".") {
                #expect(repository.package.targets.contains { $0.path == "\(folder)/\(name)" }, "\(folder)/\(name)")
            }
        }
    }

    @Test(arguments: SystemModules.glibcUsers + SystemModules.foundationUsers)
    func `every folder with an import of its own exists and needs it`(folder: String) {
        #expect(repository.files.contains { $0.isInside(folder) })
    }

    @Test func `the passes of deploy/test name targets that exist, and leave none out or run it twice`() throws {
        let script = try String(contentsOf: SourceTree.root.appendingPathComponent("deploy/test"), encoding: .utf8)
        // The first pass skips the targets of the other passes; each other pass runs only the targets it names.
        let passes = script.matches(of: /run_swift_pass "[^"]+" (?:\\\n *)?--(skip|filter) '\^\(?([\w|]+)\)?\\\.'/).map
        {
            (isSkip: $0.1 == "skip", targets: $0.2.split(separator: "|").map(String.init).sorted())
        }
        #expect(passes.map(\.isSkip) == [true] + Array(repeating: false, count: passes.count - 1))
        #expect(passes.first?.targets == passes.dropFirst().flatMap(\.targets).sorted())
        for name in passes.first?.targets ?? [] {
            #expect(repository.package.target(named: name)?.isTest == true, "\(name)")
        }
        // The first pass also skips the acceptance tests of the instance and those of a clean clone, which have passes.
        for pattern in [#"'^Acceptance\.Live/'"#, #""$clone_tests""#] {
            for option in ["--skip", "--filter"] {
                #expect(script.components(separatedBy: "\(option) \(pattern)").count == 2, "\(option) \(pattern)")
            }
        }
        // Exit tests of all targets run in a separate pass.
        #expect(script.matches(of: /--skip "\$exit_tests"\n/).count == passes.count + 1)
        #expect(script.matches(of: /--filter "\$exit_tests"\n/).count == 1)
    }
}
