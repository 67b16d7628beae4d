import Foundation
import Testing

/// Checks that deploy/VERSIONS.md agrees with the code about the version and the platforms.
@Suite struct VersionTests {
    private let page: String

    init() throws { page = try Self.text("deploy/VERSIONS.md") }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the page promises something of the version that the code has`() throws {
        let code = try Self.text("Sources/Core/Revisions/AlmanacVersion.swift")
        let version = try #require(code.firstMatch(of: /current = "(\d+\.\d+\.\d+)"/)?.1)
        #expect(page.contains("This is Almanac \(version):"))
    }

    @Test func `the page names the platforms of the package`() throws {
        let platforms = try Self.text("Package.swift").matches(of: /\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v(\d+)\)/)
        let row = "| \(platforms.map(\.1).joined(separator: ", ")) | \(platforms.map(\.2).joined(separator: ", ")) |"
        #expect(platforms.count == 5)
        #expect(page.contains(row), "expected \(row)")
    }
}
