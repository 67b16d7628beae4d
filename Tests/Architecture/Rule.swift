import Testing

/// A property of the repository that the compiler does not check.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    /// Returns the places that break the rule.
    let check: @Sendable (Repository) -> [Finding]

    var testDescription: String { name }

    /// Creates a rule that is checked for each file separately.
    static func ofFiles(_ name: String, check: @escaping @Sendable (SourceFile) -> [Finding]) -> Rule {
        Rule(name: name) { $0.files.flatMap(check) }
    }

    /// Creates a rule that is checked for each target separately. Each message continues a sentence that starts with
    /// the target's name.
    static func ofTargets(
        _ name: String, check: @escaping @Sendable (PackageManifest.Target, PackageManifest) -> [String]
    ) -> Rule {
        Rule(name: name) { repository in
            repository.package.targets.flatMap { target in
                check(target, repository.package).map {
                    Finding(path: "Package.swift", line: nil, message: "\(target.name) \($0)")
                }
            }
        }
    }

    static let all: [Rule] = [
        modulesDependOnEarlierOnes, layersKeepApart, librariesDependOnNoServerCode,
        cLibrariesAreFoundWithoutPkgConfig, targetsAreNamedAfterTheirFolders,
        testsMirrorTheSources, foldersDependInOneDirection,
        importsAreDeclared, cModulesStayInTheirWrappers, systemCallsStayAtTheBottom, noFoundationInSources,
        noPointersInPublicSignatures, uncheckedSafetyHasAProof, filesStayShort, linesStayShort, exitTestsSaySo,
        statementsAreNamed, publicSymbolsHaveComments, commentsBeginPlainly,
    ]
}
