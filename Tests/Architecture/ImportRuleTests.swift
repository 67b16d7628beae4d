import Testing

@Suite struct ImportRuleTests {
    @Test(arguments: [
        // The cases are C outside its wrapper, a higher layer, the same layer, and an indirect dependency.
        ("Sources/Domains/HTTP/Request.swift", "internal import AlmanacCFastCGI"),
        ("Sources/Domains/Notes/Entry.swift", "public import AlmanacCSQLite"),
        ("Sources/Platform/POSIX/Event.swift", "@preconcurrency import AlmanacFastCGI"),
        ("Sources/Platform/Transport/Some.swift", "import func AlmanacCFastCGI.FCGX_Init"),
        ("Sources/Platform/POSIX/Event.swift", "import AlmanacCSomethingNew"),
        ("Sources/Domains/HTTP/Request.swift", "internal import AlmanacNotesDomain"),
        ("Sources/Domains/HTTP/Deeper/Request.swift", "internal import TextMerge"),
        ("Sources/Programs/AlmanacWorker/main.swift", "import AlmanacPOSIX"),
        ("Sources/Examples/Editor/main.swift", "import TextMerge"),
        ("Tests/Domains/NotesTests/EntryTests.swift", "@testable import AlmanacHTTP"),
        ("Tests/Domains/NotesTests/device/main.swift", "import AlmanacNotesDomain"),
    ])
    func `an import that the target doesn't declare is found`(path: String, text: String) {
        #expect(Rule.importsAreDeclared.check(SourceFile(path: path, text: "\n" + text)).map(\.line) == [2])
    }

    @Test(arguments: [
        ("Sources/Platform/FastCGI/Request.swift", "internal import AlmanacCFastCGI\ninternal import AlmanacPOSIX"),
        ("Sources/Domains/Notes/Deeper/Some.swift", "internal import AlmanacHTTP; import TextMerge"),
        ("Sources/Domains/Notes/Some.swift", "internal import Synchronization"),
        (
            "Sources/Domains/HTTP/Request.swift",
            "// import AlmanacCFastCGI\n/* import AlmanacCFastCGI */ let text = \"import AlmanacCFastCGI\""
        ),
        ("Tests/Domains/NotesTests/EntryTests.swift", "@testable import AlmanacNotesDomain"),
        ("Tests/Domains/NotesTests/device/main.swift", "import AlmanacNotes"),
    ])
    func `one that it declares, a module of the toolchain, a comment or a text is not`(path: String, text: String) {
        #expect(Rule.importsAreDeclared.check(SourceFile(path: path, text: text)) == [])
    }

    @Test(arguments: ["Sources/FastCGIExtra/Reader.swift", "Tests/Domains/Some.swift"])
    func `a file of no target is found`(path: String) {
        #expect(Rule.importsAreDeclared.check(SourceFile(path: path, text: "")).count == 1)
    }

    @Test(arguments: [
        ("Sources/Apps/AlmanacNotes/Storage/Some.swift", 1), ("Sources/Apps/AlmanacNotes/Some.swift", 1),
        ("Sources/Apps/AlmanacNotes/SQLite/Some.swift", 0), ("Sources/Platform/FastCGI/Some.swift", 0),
        ("Tests/Support/Some.swift", 0),
    ])
    func `above Platform, a C module outside a folder of its name is found`(path: String, findings: Int) {
        let file = SourceFile(path: path, text: "internal import AlmanacCSQLite")
        #expect(Rule.cModulesStayInTheirWrappers.check(file).count == findings)
    }

    @Test(arguments: [
        "Sources/Domains/HTTP/Clock.swift", "Sources/Domains/Config/Entry.swift",
        "Sources/Programs/AlmanacWorker/main.swift",
    ])
    func `Glibc in a module above the wrappers is found`(path: String) {
        let text = "internal import Glibc"
        #expect(Rule.systemCallsStayAtTheBottom.check(SourceFile(path: path, text: text)).count == 1)
    }

    @Test(arguments: [
        "Sources/Platform/POSIX/File.swift", "Sources/Platform/FastCGI/Listener.swift",
        "Tests/Support/Concurrency.swift",
    ])
    func `Glibc below is not`(path: String) {
        let text = "internal import Glibc"
        #expect(Rule.systemCallsStayAtTheBottom.check(SourceFile(path: path, text: text)) == [])
    }

    @Test(arguments: ["import Foundation", "internal import FoundationEssentials", "import struct Foundation.Date"])
    func `Foundation is found in the server and not in tests or libraries for apps`(text: String) {
        let rule = Rule.noFoundationInSources
        #expect(rule.check(SourceFile(path: "Sources/Platform/POSIX/File.swift", text: text)).count == 1)
        #expect(rule.check(SourceFile(path: "Tests/Architecture/SourceTree.swift", text: text)) == [])
        #expect(rule.check(SourceFile(path: "Sources/Apps/AlmanacNotes/Sync/Some.swift", text: text)) == [])
        #expect(rule.check(SourceFile(path: "Sources/Apps/Runtime/Some.swift", text: text)) == [])
        #expect(rule.check(SourceFile(path: "Sources/Apps/CommandClient/Some.swift", text: text)).count == 1)
        #expect(rule.check(SourceFile(path: "Sources/Examples/ColourDemo/main.swift", text: text)) == [])
    }
}
