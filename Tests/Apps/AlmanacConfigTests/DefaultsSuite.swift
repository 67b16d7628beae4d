import Foundation

/// A suite of user defaults for one test, removed after the test.
final class DefaultsSuite: Sendable {
    let name = "almanac-test-\(UInt64.random(in: 0 ... .max))"

    /// The suite as another part of the app opens it.
    var defaults: UserDefaults { UserDefaults(suiteName: name)! }

    /// The path at which Foundation on Linux stores the suite.
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
