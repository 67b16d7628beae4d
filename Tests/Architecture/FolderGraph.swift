/// The dependencies between the folders of a module, including the module's own folder.
struct FolderGraph {
    /// The places where a folder uses another folder's types.
    private(set) var edges: [Edge: [Place]] = [:]
    private let module: String

    struct Edge: Hashable {
        let user: String
        let used: String
    }

    struct Place: Equatable {
        let path: String
        let line: Int
        let type: String
    }

    /// Builds the graph of one target's files.
    init(_ target: PackageManifest.Target, _ files: [SourceFile]) {
        module = target.name
        let declarations = files.map { (file: $0, folder: $0.folder, types: TypeDeclarations($0)) }
        var folders: [String: Set<String>] = [:]
        for (_, folder, types) in declarations {
            for name in types.declared { folders[name, default: []].insert(folder) }
        }
        for (file, folder, types) in declarations {
            for use in types.uses {
                for name in Self.types(use, of: folders, in: module, besides: types.local) {
                    // A type that several folders declare, for different platforms, adds no edge.
                    guard let used = folders[name], used.count == 1, let used = used.first, used != folder else {
                        continue
                    }
                    edges[Edge(user: folder, used: used), default: []]
                        .append(Place(path: file.path, line: use.line, type: name))
                }
            }
        }
    }

    /// Returns the full names of the types used in one place: for `Note.Draft` both `Note` and `Note.Draft`.
    private static func types(
        _ use: TypeDeclarations.Use, of declared: [String: Set<String>], in module: String, besides local: Set<String>
    ) -> [String] {
        var parts = use.parts
        var context = use.context
        if parts.first == module, declared[module] == nil {
            parts.removeFirst()
            context = []
        }
        guard let first = parts.first else { return [] }
        // The lookup tries the innermost enclosing type first and the module last.
        while !context.isEmpty, declared[(context + [first]).joined(separator: ".")] == nil { context.removeLast() }
        guard declared[(context + [first]).joined(separator: ".")] != nil, !(context.isEmpty && local.contains(first))
        else { return [] }
        return parts.indices.map { (context + parts[...$0]).joined(separator: ".") }.prefix { declared[$0] != nil }
    }

    /// The groups of folders in which each folder uses every other, directly or indirectly.
    var cycles: [Set<String>] {
        let folders = Set(edges.keys.flatMap { [$0.user, $0.used] }).sorted()
        let reached = Dictionary(uniqueKeysWithValues: folders.map { ($0, reachable(from: $0)) })
        var cycles: [Set<String>] = []
        for folder in folders where !cycles.contains(where: { $0.contains(folder) }) {
            let cycle = reached[folder, default: []].filter { reached[$0, default: []].contains(folder) }
            if !cycle.isEmpty { cycles.append(cycle) }
        }
        return cycles
    }

    private func reachable(from folder: String) -> Set<String> {
        var (found, pending): (Set<String>, [String]) = ([], [folder])
        while let next = pending.popLast() {
            for edge in edges.keys where edge.user == next && found.insert(edge.used).inserted {
                pending.append(edge.used)
            }
        }
        return found
    }

    /// The findings, one for each cycle. A finding lists every edge of the cycle with an example.
    var findings: [Finding] {
        cycles.map { cycle in
            let inside = edges.filter { cycle.contains($0.key.user) && cycle.contains($0.key.used) }
                .sorted { ($0.key.user, $0.key.used) < ($1.key.user, $1.key.used) }
            let examples = inside.map { edge, places in
                "\n  \(edge.user) uses \(edge.used), \(places.count) times: "
                    + "\(places[0].type) in \(places[0].path):\(places[0].line)"
            }
            return Finding(
                path: module, line: nil,
                message: "\(cycle.sorted().joined(separator: ", ")) use each other:" + examples.joined())
        }
    }
}

extension SourceFile {
    fileprivate var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
}

extension Rule {
    static let foldersDependInOneDirection = Rule(name: "the folders inside a module do not use each other in a cycle")
    {
        repository in
        let files = Dictionary(grouping: repository.files) { repository.package.target(of: $0)?.name ?? "" }
        return repository.package.targets.filter { $0.layer != nil }.flatMap { target in
            FolderGraph(target, files[target.name] ?? []).findings
        }
    }
}
