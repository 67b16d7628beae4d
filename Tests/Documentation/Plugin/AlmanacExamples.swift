import Foundation
import PackagePlugin

/// Writes a Swift file for each template (`.swift.in`) of a target, with the examples of the documentation.
@main struct AlmanacExamples: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let writer = try context.tool(named: "AlmanacExampleWriter").url
        let pages = try pages()
        return module.sourceFiles(withSuffix: ".swift.in").map { template in
            let name = template.url.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: name)
            return .buildCommand(
                displayName: "Writing \(name)", executable: writer,
                arguments: ([template.url, output] + pages).map { $0.path(percentEncoded: false) },
                inputFiles: [template.url] + pages, outputFiles: [output])
        }
    }

    /// Returns the files of the repository that may have examples. Tests/Architecture finds examples in other pages.
    private func pages() throws -> [URL] {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try [root.appending(path: "README.md")]
            + ["Sources/Apps", "Sources/Core"].map { root.appending(path: $0) }.flatMap { folder in
                try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
                    .filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
            }
    }
}
