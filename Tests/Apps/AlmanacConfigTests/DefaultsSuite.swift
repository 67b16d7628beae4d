import Foundation

/// A suite of user defaults for one test, of which nothing stays behind.
final class DefaultsSuite: Sendable {
    let name = "almanac-test-\(UInt64.random(in: 0 ... .max))"

    /// As another part of the app sees it.
    var defaults: UserDefaults { UserDefaults(suiteName: name)! }

    /// Where Foundation on Linux keeps it.
    var file: URL {
        let variables = ProcessInfo.processInfo.environment
        let folder = variables["XDG_CONFIG_HOME"] ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.config"
        return URL(filePath: "\(folder)/\(name).plist")
    }

    deinit {
        UserDefaults.standard.removePersistentDomain(forName: name)
        try? FileManager.default.removeItem(at: file)
    }
}
