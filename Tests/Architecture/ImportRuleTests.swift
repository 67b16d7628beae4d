import Testing

@Suite struct ImportRuleTests {
    @Test(arguments: [
        ("Sources/Domains/HTTP/Request.swift", "internal import CFastCGI"),
        ("Sources/Domains/Config/Entry.swift", "public import CLibPQ"),
        ("Sources/Platform/PostgreSQL/Connection.swift", "import CJansson"),
        ("Sources/Domains/Identity/Token.swift", "@preconcurrency import COpenSSL"),
        ("Sources/Platform/JSON/JSONValue.swift", "internal import CCurl"),
        ("Sources/Platform/PostgreSQL/Connection.swift", "internal import CLinux"),
        ("Sources/Domains/Config/Entry.swift", "import func AlmanacCLibPQ.PQexec"),
        ("Sources/FastCGIExtra/Reader.swift", "import CFastCGI"),
        ("Sources/Platform/JSON/JSONValue.swift", "import CSomethingNew"),
        ("Tests/Domains/ConfigTests/EntryTests.swift", "import CLibPQ"),
    ])
    func `a C module outside its wrapper is found`(path: String, text: String) {
        #expect(Rule.cModulesStayInTheirWrappers.check(SourceFile(path: path, text: "\n" + text)).map(\.line) == [2])
    }

    @Test(arguments: [
        ("Sources/Platform/FastCGI/Request.swift", "internal import CFastCGI\ninternal import CLinux"),
        ("Sources/Platform/POSIX/Event.swift", "internal import CLinux"),
        ("Tests/Support/HTTPClient.swift", "internal import CCurl"),
        (
            "Sources/Domains/HTTP/Request.swift",
            "// import CFastCGI\n/* import CFastCGI */ let text = \"import CFastCGI\""
        ),
        ("Sources/Programs/AlmanacWorker/main.swift", "internal import Config\ninternal import Cryptography"),
    ])
    func `a C module in its wrapper, a comment or a text is not`(path: String, text: String) {
        #expect(Rule.cModulesStayInTheirWrappers.check(SourceFile(path: path, text: text)) == [])
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
        "Sources/Platform/POSIX/File.swift", "Sources/Platform/FastCGI/Listener.swift", "Tests/Support/Spawn.swift",
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
        #expect(rule.check(SourceFile(path: "Sources/Apps/AlmanacConfig/Client/Some.swift", text: text)) == [])
    }

    @Test(arguments: [
        ("POSIX", "JSON"), ("Timestamps", "PostgreSQL"), ("JSON", "PostgreSQL"), ("PostgreSQL", "HTTP"),
        ("FastCGI", "HTTP"), ("HTTP", "Identity"), ("HTTP", "Config"), ("HTTP", "FastCGI"), ("HTTP", "PostgreSQL"),
        ("Environments", "Identity"), ("Identity", "Environments"), ("Identity", "FastCGI"), ("Config", "FastCGI"),
        ("Config", "AlmanacWorker"), ("AlmanacCommand", "AlmanacWorker"),
    ])
    func `an import upwards, sideways or past a border is found`(importer: String, module: String) {
        let file = SourceFile(path: "Sources/\(importer)/Some.swift", text: "internal import \(module)")
        #expect(Rule.modulesImportDownwards.check(file).count == 1)
    }

    @Test(arguments: [
        ("PostgreSQL", "POSIX"), ("HTTP", "JSON"), ("Identity", "HTTP"), ("Identity", "PostgreSQL"), ("Config", "HTTP"),
        ("Config", "Synchronization"), ("AlmanacWorker", "FastCGI"), ("AlmanacCommand", "Identity"),
    ])
    func `an import downwards is not`(importer: String, module: String) {
        let file = SourceFile(path: "Sources/\(importer)/Deeper/Some.swift", text: "internal import \(module)")
        #expect(Rule.modulesImportDownwards.check(file) == [])
    }

    @Test func `a module without a place in the order is found`() {
        let file = SourceFile(path: "Sources/Telemetry/Some.swift", text: "")
        #expect(Rule.modulesImportDownwards.check(file).count == 1)
    }
}
