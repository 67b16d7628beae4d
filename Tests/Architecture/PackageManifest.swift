import Foundation

/// The modules, layers and dependencies that Package.swift declares. No other file declares them.
struct PackageManifest: Sendable {
    let targets: [Target]
    let libraries: [Library]

    struct Target: Sendable {
        let name: String
        /// The path from the repository's root: `Sources/Platform/JSON`.
        let path: String
        let isTest: Bool
        /// The pkg-config name of a C library.
        var pkgConfig: String?
        let dependencies: [String]

        /// The first folder below Sources, or nil for a target elsewhere.
        var layer: String? {
            let parts = path.split(separator: "/")
            return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
        }

        var folder: String { path.split(separator: "/").last.map(String.init) ?? "" }
    }

    /// A product that another package can depend on.
    struct Library: Sendable {
        let name: String
        let targets: [String]
    }

    /// The layers from bottom to top, in the order of their first modules.
    var layers: [String] {
        targets.compactMap(\.layer).reduce(into: []) { layers, layer in
            if !layers.contains(layer) { layers.append(layer) }
        }
    }

    func target(named name: String) -> Target? { targets.first { $0.name == name } }

    /// Returns the target of a file: the target with the innermost folder.
    func target(of file: SourceFile) -> Target? {
        targets.filter { file.isInside($0.path) }.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Returns all direct and indirect dependencies of a target, including the target itself.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = [name]
        var pending = [name]
        while let next = pending.popLast() {
            for dependency in target(named: next)?.dependencies ?? [] where found.insert(dependency).inserted {
                pending.append(dependency)
            }
        }
        return found
    }
}

extension PackageManifest {
    /// Runs SwiftPM to read Package.swift, in a separate build folder because the usual folder is locked during tests.
    static func dump(of root: URL) throws -> PackageManifest {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("almanac-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        process.standardOutput = output
        try process.run()
        let json = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try PackageManifest(json: json)
    }

    /// Parses the output of `swift package dump-package`.
    init(json: Data) throws {
        let dump = try JSONDecoder().decode(Dump.self, from: json)
        targets = dump.targets.map {
            Target(
                name: $0.name, path: $0.path ?? "", isTest: $0.type == "test", pkgConfig: $0.pkgConfig,
                dependencies: $0.dependencies.compactMap(\.name))
        }
        libraries = dump.products.filter { $0.type.keys.contains("library") }.map {
            Library(name: $0.name, targets: $0.targets)
        }
    }

    private struct Dump: Decodable {
        let targets: [DumpedTarget]
        let products: [DumpedProduct]
    }

    private struct DumpedTarget: Decodable {
        let name: String
        let path: String?
        let type: String
        let pkgConfig: String?
        let dependencies: [DumpedDependency]
    }

    private struct DumpedProduct: Decodable {
        let name: String
        let targets: [String]
        let type: [String: DumpedKind]
    }

    /// A product type, `{"library": ["static"]}` or `{"executable": null}`, of which only the key is used.
    private struct DumpedKind: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// A dependency: `{"byName": ["AlmanacJSON", null]}` or `{"target": ["AlmanacJSON", {"platformNames":
    /// ["linux"]}]}`.
    private struct DumpedDependency: Decodable {
        /// The module's name, or nil for a product of another package.
        let name: String?

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.container(keyedBy: Kind.self)
            guard !kinds.contains(.product) else {
                name = nil
                return
            }
            let kind: Kind = kinds.contains(.byName) ? .byName : .target
            var parts = try kinds.nestedUnkeyedContainer(forKey: kind)
            name = try parts.decode(String.self)
        }

        private enum Kind: String, CodingKey { case byName, target, product }
    }
}
