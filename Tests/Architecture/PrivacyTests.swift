import Foundation
import Testing

/// Checks that the privacy manifests of each library name the APIs for which Apple requires a reason.
@Suite struct PrivacyTests {
    /// The APIs of each category that occur in Swift (developer.apple.com, "Describing use of required reason API").
    private static let apis: [(category: String, names: String)] = [
        (
            "FileTimestamp",
            "creationDate|modificationDate|fileModificationDate|contentModificationDateKey|creationDateKey|"
                + "f?getattrlist\\w*|[fl]?stat|fstatat"
        ),
        ("SystemBootTime", "systemUptime|mach_absolute_time"),
        ("DiskSpace", "volume\\w*CapacityKey|systemFreeSize|systemSize|f?statv?fs"),
        ("ActiveKeyboards", "activeInputModes"),
        ("UserDefaults", "UserDefaults"),
    ]

    /// The modules that only Linux links.
    private static let linuxModules: Set<String> = ["AlmanacHTTPSClient", "AlmanacPOSIX"]

    @Test func `each library declares what it uses, and nothing else`() throws {
        let repository = try Repository.this.get()
        for library in repository.package.libraries {
            let modules = library.targets.flatMap(repository.package.closure(of:)).filter {
                !Self.linuxModules.contains($0)
            }.compactMap(repository.package.target(named:))
            let code = repository.files.filter { file in modules.contains { file.isInside($0.path) } }
                .flatMap(\.code).joined(separator: "\n")
            // Foundation's expressions take a fraction of the time of Swift's in this long text.
            let used = Self.apis.filter { api in
                code.range(of: "\\b(?:\(api.names))\\b", options: .regularExpression) != nil
            }.map { "NSPrivacyAccessedAPICategory" + $0.category }
            let declared = try modules.flatMap { try Self.categories(inManifestOf: $0.path) }
            #expect(Set(declared) == Set(used), "\(library.name)")
        }
    }

    /// Returns the categories in the manifest of a module; none without a manifest.
    private static func categories(inManifestOf path: String) throws -> [String] {
        let file = SourceTree.root.appending(path: "\(path)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        struct Manifest: Decodable {
            struct Use: Decodable {
                let NSPrivacyAccessedAPIType: String
                let NSPrivacyAccessedAPITypeReasons: [String]
            }

            let NSPrivacyAccessedAPITypes: [Use]
            let NSPrivacyTracking: Bool
        }
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(!manifest.NSPrivacyTracking)
        #expect(manifest.NSPrivacyAccessedAPITypes.allSatisfy { !$0.NSPrivacyAccessedAPITypeReasons.isEmpty })
        return manifest.NSPrivacyAccessedAPITypes.map(\.NSPrivacyAccessedAPIType)
    }
}
