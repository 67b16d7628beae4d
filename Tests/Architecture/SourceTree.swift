import Foundation

/// The Swift files and the documentation of this repository.
enum SourceTree {
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Reads all Swift files under Sources and Tests, in path order.
    static func files() throws -> [SourceFile] {
        var files: [SourceFile] = []
        for folder in ["Sources", "Tests"] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            // A nested package has its own rules, and the WebAssembly sources belong to no package.
            let packages = names.filter { $0.hasSuffix("/Package.swift") }.map { $0.dropLast("Package.swift".count) }
            let excludedFolders = packages + ["Web/wasm/"]
            for name in names.sorted()
            where name.hasSuffix(".swift") && !excludedFolders.contains(where: name.hasPrefix) {
                let path = "\(folder)/\(name)"
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                files.append(SourceFile(path: path, text: text))
            }
        }
        return files
    }

    /// Reads the files of Tests that name examples of the documentation.
    static func exampleTemplates() throws -> [ExampleTemplate] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Tests").path)
            .filter { $0.hasSuffix(".swift.in") }.map { "Tests/\($0)" }.map { path in
                ExampleTemplate(
                    path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
            }
    }

    /// Reads the README, the chapters it links to, and all pages of the libraries' documentation.
    static func pages() throws -> [Page] {
        let chapters = try ["deploy", "deploy/operating", ".github", "Tests/Load"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                .map { "\(folder)/\($0)" }
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
        let documentation = names.filter { $0.contains(".docc/") }.map { "Sources/\($0)" }
        return try (["README.md"] + chapters.sorted() + documentation.sorted()).filter { $0.hasSuffix(".md") }.map {
            Page(path: $0, text: try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
        }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }
}
