import Foundation

/// The Swift files and the documentation of this repository.
enum SourceTree {
    // This file lies in Tests/Architecture.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file under Sources and Tests, in the order of the paths.
    static func files() throws -> [SourceFile] {
        var files: [SourceFile] = []
        for folder in ["Sources", "Tests"] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            for name in names.sorted() where name.hasSuffix(".swift") {
                let path = "\(folder)/\(name)"
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                files.append(SourceFile(path: path, text: text))
            }
        }
        return files
    }

    /// The README and every page of the libraries' documentation.
    static func pages() throws -> [(path: String, text: String)] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
        let pages = names.sorted().filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.map { "Sources/\($0)" }
        return try (["README.md"] + pages).map {
            ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
        }
    }
}
