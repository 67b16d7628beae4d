extension PackageManifest {
    /// A small package with the layers of this one. Each test breaks one part of it.
    static let example = PackageManifest(
        targets: [
            Target("AlmanacCFastCGI", "Sources/C/CFastCGI"),
            Target("AlmanacCSQLite", "Sources/C/CSQLite"),
            Target("AlmanacPOSIX", "Sources/Platform/POSIX"),
            Target("AlmanacFastCGI", "Sources/Platform/FastCGI", ["AlmanacCFastCGI", "AlmanacPOSIX"]),
            Target("AlmanacTransport", "Sources/Platform/Transport", ["AlmanacPOSIX"]),
            Target("TextMerge", "Sources/Core/TextMerge"),
            Target("AlmanacHTTP", "Sources/Domains/HTTP"),
            Target("AlmanacNotesDomain", "Sources/Domains/Notes", ["AlmanacHTTP", "TextMerge"]),
            Target("AlmanacRuntime", "Sources/Apps/Runtime"),
            Target("AlmanacCommandClient", "Sources/Apps/CommandClient"),
            Target(
                "AlmanacNotes", "Sources/Apps/AlmanacNotes",
                ["AlmanacRuntime", "AlmanacCSQLite", "AlmanacTransport", "TextMerge"]),
            Target("AlmanacWorker", "Sources/Programs/AlmanacWorker", ["AlmanacFastCGI", "AlmanacNotesDomain"]),
            Target("AlmanacEditor", "Sources/Examples/Editor", ["AlmanacNotes"]),
            Target("AlmanacTestSupport", "Tests/Support", ["AlmanacPOSIX"]),
            Target("NotesTests", "Tests/Domains/NotesTests", isTest: true, ["AlmanacNotesDomain"]),
            Target("almanac-device", "Tests/Domains/NotesTests/device", ["AlmanacNotes"]),
        ],
        libraries: [Library(name: "AlmanacNotes", targets: ["AlmanacNotes"])])

    /// Returns the package with a target added, or replaced if the name exists.
    func with(_ target: Target) -> PackageManifest {
        var targets = targets
        if let index = targets.firstIndex(where: { $0.name == target.name }) {
            targets[index] = target
        } else {
            targets.append(target)
        }
        return PackageManifest(targets: targets, libraries: libraries)
    }
}

extension PackageManifest.Target {
    init(
        _ name: String, _ path: String, isTest: Bool = false, pkgConfig: String? = nil, _ dependencies: [String] = []
    ) {
        self.init(name: name, path: path, isTest: isTest, pkgConfig: pkgConfig, dependencies: dependencies)
    }
}

extension Rule {
    /// Returns the rule's findings in one file of the example package.
    func check(_ file: SourceFile) -> [Finding] { check(Repository(package: .example, files: [file])) }

    func check(_ package: PackageManifest) -> [Finding] { check(Repository(package: package, files: [])) }
}
