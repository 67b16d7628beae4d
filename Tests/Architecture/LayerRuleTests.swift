import Foundation
import Testing

@Suite struct LayerRuleTests {
    private typealias Target = PackageManifest.Target

    @Test(arguments: Rule.all)
    func `the package in small keeps every rule`(rule: Rule) {
        #expect(rule.check(.example) == [])
    }

    @Test(arguments: [
        // The cases are a higher layer, a later module of the same layer, and a module separated from its layer.
        ("AlmanacPOSIX", "Sources/Platform/POSIX", ["AlmanacHTTP"]),
        ("AlmanacPOSIX", "Sources/Platform/POSIX", ["AlmanacFastCGI"]),
        ("AlmanacJSON", "Sources/Platform/JSON", []),
    ])
    func `a module that depends on one below it or stands apart is found`(
        name: String, path: String, dependencies: [String]
    ) {
        let package = PackageManifest.example.with(Target(name, path, dependencies))
        #expect(Rule.modulesDependOnEarlierOnes.check(package).count == 1)
    }

    @Test(arguments: [
        ("AlmanacNotes", "Sources/Apps/AlmanacNotes", "AlmanacHTTP"),
        ("AlmanacNotesDomain", "Sources/Domains/Notes", "AlmanacNotes"),
        ("AlmanacHTTP", "Sources/Domains/HTTP", "AlmanacCFastCGI"),
        ("AlmanacWorker", "Sources/Programs/AlmanacWorker", "AlmanacCFastCGI"),
        ("AlmanacEditor", "Sources/Examples/Editor", "AlmanacPOSIX"),
        ("AlmanacEditor", "Sources/Examples/Editor", "AlmanacNotesDomain"),
        ("TextMerge", "Sources/Core/TextMerge", "AlmanacPOSIX"),
    ])
    func `a layer that uses a stranger is found`(name: String, path: String, dependency: String) {
        let package = PackageManifest.example.with(Target(name, path, [dependency]))
        #expect(Rule.layersKeepApart.check(package).count == 1)
    }

    @Test func `a library for apps that needs the server's C libraries or domains is found, however far away`() {
        let transport = Target("AlmanacTransport", "Sources/Platform/Transport", ["AlmanacFastCGI"])
        #expect(
            Rule.librariesDependOnNoServerCode.check(.example.with(transport)).map(\.message)
                == ["AlmanacNotes brings AlmanacCFastCGI along"])
        let notes = Target("AlmanacNotes", "Sources/Apps/AlmanacNotes", ["AlmanacNotesDomain"])
        #expect(Rule.librariesDependOnNoServerCode.check(.example.with(notes)).count == 2)
    }

    @Test func `a C library that is looked for with pkg-config is found`() {
        let sqlite = Target("AlmanacCSQLite", "Sources/C/CSQLite", pkgConfig: "sqlite3")
        #expect(Rule.cLibrariesAreFoundWithoutPkgConfig.check(.example.with(sqlite)).count == 1)
    }

    @Test(arguments: [
        ("HTTPKit", "Sources/Domains/HTTPKit"), ("AlmanacHTTP2", "Sources/Domains/HTTP"),
        ("AlmanacConfig", "Sources/Domains/Config"), ("AlmanacDeep", "Sources/Domains/HTTP/Deep"),
        ("AlmanacNotesDomain", "Sources/Apps/Notes"), ("device", "Tests/Domains/NotesTests/device"),
    ])
    func `a target that is not named after its folder is found`(name: String, path: String) {
        #expect(Rule.targetsAreNamedAfterTheirFolders.check(.example.with(Target(name, path))).count == 1)
    }

    @Test(arguments: [
        ("NotesTests", "Tests/Apps/NotesTests"), ("OtherTests", "Tests/Domains/OtherTests"),
    ])
    func `tests of a module that lie elsewhere are found`(name: String, path: String) {
        let package = PackageManifest.example.with(Target(name, path, isTest: true))
        #expect(Rule.testsMirrorTheSources.check(package).count == 1)
    }

    @Test func `a dump of SwiftPM is read`() throws {
        let dump = """
            {"targets": [
               {"name": "AlmanacCSQLite", "type": "system", "path": "Sources/C/CSQLite", "pkgConfig": "sqlite3",
                "dependencies": []},
               {"name": "AlmanacNotes", "type": "regular", "path": "Sources/Apps/AlmanacNotes", "dependencies": [
                  {"byName": ["AlmanacCSQLite", null]}, {"target": ["AlmanacWeb", {"platformNames": ["linux"]}]}]},
               {"name": "NotesTests", "type": "test", "path": "Tests/Apps/NotesTests", "dependencies": []}],
             "products": [
               {"name": "Notes", "targets": ["AlmanacNotes"], "type": {"library": ["static"]}},
               {"name": "almanac", "targets": ["AlmanacCommand"], "type": {"executable": null}}]}
            """
        let package = try PackageManifest(json: Data(dump.utf8))
        #expect(package.targets.map(\.name) == ["AlmanacCSQLite", "AlmanacNotes", "NotesTests"])
        #expect(package.targets.map(\.layer) == ["C", "Apps", nil])
        #expect(package.targets.map(\.isTest) == [false, false, true])
        #expect(package.targets[0].pkgConfig == "sqlite3")
        #expect(package.targets[1].dependencies == ["AlmanacCSQLite", "AlmanacWeb"])
        #expect(package.libraries.map(\.name) == ["Notes"])
        #expect(package.closure(of: "AlmanacNotes") == ["AlmanacNotes", "AlmanacCSQLite", "AlmanacWeb"])
        #expect(throws: (any Error).self) { try PackageManifest(json: Data("error: no manifest".utf8)) }
    }
}
