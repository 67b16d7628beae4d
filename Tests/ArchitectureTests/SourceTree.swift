import Foundation

/// The Swift files of this repository.
enum SourceTree {
    /// Every Swift file under Sources and Tests, in the order of the paths.
    static func files() throws -> [SourceFile] {
        // This file lies in Tests/ArchitectureTests.
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
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
}
