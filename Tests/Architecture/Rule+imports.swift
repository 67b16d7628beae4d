extension Rule {
    static let importsAreDeclared = Rule(name: "a file imports only what its target declares") { repository in
        let names = Set(repository.package.targets.map(\.name))
        return repository.files.flatMap { file -> [Finding] in
            guard let target = repository.package.target(of: file) else {
                return [file.finding(0, "belongs to no target of Package.swift")]
            }
            return file.imports.compactMap { index, module in
                guard names.contains(module) || module.hasPrefix("Almanac"), !target.dependencies.contains(module)
                else { return nil }
                return file.finding(index, "\(target.name) imports \(module), which it doesn't declare")
            }
        }
    }

    static let cModulesStayInTheirWrappers = Rule(name: "above Platform, a C module stays in a folder of its name") {
        repository in
        repository.files.flatMap { file -> [Finding] in
            guard let target = repository.package.target(of: file), let layer = target.layer, layer != "Platform"
            else { return [] }
            return file.imports.compactMap { index, module in
                guard let c = repository.package.target(named: module), c.layer == "C" else { return nil }
                // The folder for CSQLite is Sources/Apps/AlmanacNotes/SQLite.
                let folder = "\(target.path)/\(c.folder.dropFirst())"
                return file.isInside(folder)
                    ? nil : file.finding(index, "imports \(module), which belongs in \(folder)")
            }
        }
    }

    static let systemCallsStayAtTheBottom = Rule.ofFiles("Glibc is imported only at the bottom and in tests") { file in
        file.imports.compactMap { index, module in
            guard module == "Glibc", !SystemModules.glibcUsers.contains(where: file.isInside) else { return nil }
            return file.finding(index, "imports Glibc; what it needs belongs in POSIX")
        }
    }

    static let noFoundationInSources = Rule(name: "nothing of the server imports Foundation") { repository in
        let users = SystemModules.foundationUsers + repository.package.ownTargetsOfLibraries.map(\.path)
        return repository.files.filter { $0.isInside("Sources") && !users.contains(where: $0.isInside) }
            .flatMap { file in
                file.imports.filter { $0.module.hasPrefix("Foundation") }.map { index, module in
                    file.finding(index, "imports \(module)")
                }
            }
    }
}

/// The folders whose files may import modules of the toolchain that Package.swift does not name.
enum SystemModules {
    /// The folders whose files call the operating system directly.
    static let glibcUsers = [
        "Sources/Platform/POSIX", "Sources/Platform/FastCGI", "Sources/Platform/PostgreSQL", "Sources/Platform/JSON",
        "Sources/Platform/Cryptography", "Sources/Platform/ResponseStreams", "Sources/Platform/SQLite",
        "Sources/Examples/TerminalUI", "Sources/Apps/AlmanacNotes/Files", "Sources/Apps/AlmanacNotes/Storage",
        "Sources/Apps/AlmanacSignIn/Redirect", "Sources/Apps/AlmanacSignIn/Storage", "Tests",
    ]

    /// The folders that use Foundation: the transport and the texts of libraries on Apple platforms, the examples, and
    /// the parts of the command line that use those libraries.
    static let foundationUsers = [
        "Sources/Platform/URLSessionTransport", "Sources/Platform/Unicode", "Sources/Apps/AlmanacClient/Config",
        "Sources/Examples/ColourDemo",
        "Sources/Examples/NotesEditor",
        "Sources/Examples/SignInDemo", "Sources/Examples/TerminalApp", "Sources/Programs/AlmanacCommand/Connection",
        "Sources/Programs/AlmanacCommand/Libraries",
    ]
}

extension PackageManifest {
    /// The targets in Apps that belong to a library for apps.
    fileprivate var ownTargetsOfLibraries: [Target] {
        let needed = libraries.flatMap(\.targets).reduce(into: Set()) { $0.formUnion(closure(of: $1)) }
        return targets.filter { $0.layer == "Apps" && needed.contains($0.name) }
    }
}
