import Foundation

/// What the rules look at: Package.swift, and every Swift file under Sources and Tests in the order of the paths.
struct Repository: Sendable {
    let package: PackageManifest
    let files: [SourceFile]

    /// This repository, read once for all tests.
    static let this = Result {
        Repository(package: try PackageManifest.dump(of: SourceTree.root), files: try SourceTree.files())
    }
}
