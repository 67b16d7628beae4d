import Foundation

/// The input of the rules: Package.swift, and all Swift files under Sources and Tests in path order.
struct Repository: Sendable {
    let package: PackageManifest
    let files: [SourceFile]

    /// The repository of these tests, read once per run.
    static let this = Result {
        Repository(package: try PackageManifest.dump(of: SourceTree.root), files: try SourceTree.files())
    }
}
