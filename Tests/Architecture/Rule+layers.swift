extension Rule {
    static let modulesDependOnEarlierOnes = Rule.ofTargets("a module depends only on those above it in Package.swift") {
        target, package in
        guard let layer = target.layer else { return [] }
        let above = package.targets.prefix { $0.name != target.name }
        var problems = target.dependencies.filter { name in !above.contains { $0.name == name } }
            .map { "depends on \($0), which does not stand above it" }
        if above.last?.layer != layer, above.contains(where: { $0.layer == layer }) {
            problems.append("stands apart from the other modules of \(layer)")
        }
        return problems
    }

    static let layersKeepApart = Rule.ofTargets("a layer uses no other that it has nothing to do with") {
        target, package in
        guard let layer = target.layer, let forbidden = forbiddenLayers[layer] else { return [] }
        return target.dependencies.filter { package.target(named: $0)?.layer.map(forbidden.contains) == true }
            .map { "of \(layer) depends on \($0)" }
    }

    /// The lower layers that a layer must not use.
    private static let forbiddenLayers: [String: Set<String>] = [
        // Core has only pure values without I/O.
        "Core": ["C", "Platform"],
        // Only wrappers use C.
        "Domains": ["C", "Apps"], "Programs": ["C"],
        // Apps use nothing of the server. A library for apps may use a C module directly if no other module needs it.
        "Apps": ["Domains"],
        "Examples": ["C", "Platform", "Domains", "Programs"],
    ]

    static let librariesDependOnNoServerCode = Rule.ofTargets("a library for apps brings nothing of the server's") {
        target, package in
        guard package.libraries.contains(where: { $0.targets.contains(target.name) }) else { return [] }
        return package.closure(of: target.name).sorted().compactMap { package.target(named: $0) }.filter { needed in
            needed.layer == "Domains" || needed.layer == "Programs" || serverCLibraries.contains(needed.name)
        }
        .map { "brings \($0.name) along" }
    }

    /// The C libraries that an app does not have to install.
    private static let serverCLibraries: Set<String> = [
        "AlmanacCFastCGI", "AlmanacCLibPQ", "AlmanacCJansson", "AlmanacCOpenSSL", "AlmanacCYAML",
    ]

    static let cLibrariesAreFoundWithoutPkgConfig = Rule.ofTargets("a C library is found without pkg-config") {
        target, _ in
        target.pkgConfig.map { ["asks pkg-config for \($0), which SwiftPM then does in every app"] } ?? []
    }

    static let targetsAreNamedAfterTheirFolders = Rule.ofTargets("a target is named Almanac and its folder's name") {
        target, _ in
        let folder = target.folder
        guard let layer = target.layer else {
            let isNamed = target.isTest ? target.name.hasPrefix(folder) : target.name.lowercased().hasPrefix("almanac")
            return isNamed ? [] : ["lies in \(target.path)"]
        }
        let name =
            if folder.hasPrefix("Almanac") || folder == "TextMerge" {
                folder
            } else if layer == "Domains", ["Config", "Flags", "Notes", "Events"].contains(folder) {
                // AlmanacConfig, AlmanacFlags and AlmanacNotes are names of libraries for apps; AlmanacEvents is a
                // program.
                "Almanac\(folder)Domain"
            } else {
                "Almanac\(folder)"
            }
        return target.name == name && target.path == "Sources/\(layer)/\(folder)" ? [] : ["lies in \(target.path)"]
    }

    static let testsMirrorTheSources = Rule.ofTargets("the tests of a module lie where the module does") {
        target, package in
        let parts = target.path.split(separator: "/")
        guard target.isTest, parts.count == 3 else { return [] }
        let tested = "Sources/\(parts[1])/\(parts[2].replacing("Tests", with: ""))"
        return package.targets.contains { $0.path == tested } ? [] : ["tests \(tested), which is no module"]
    }
}
