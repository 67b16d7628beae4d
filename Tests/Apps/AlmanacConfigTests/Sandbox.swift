import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

/// A simulated device with a folder, a clock and a list of reports.
final class Sandbox: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    private let reported = Mutex<[ConfigReport]>([])

    init() throws { folder = try TemporaryFolder() }

    /// The cache folder.
    var cache: URL { URL(filePath: "\(folder.path)/cache") }

    var cacheFiles: [URL] {
        get throws { try FileManager.default.contentsOfDirectory(at: cache, includingPropertiesForKeys: nil) }
    }

    /// The only file in the cache folder.
    var cacheFile: URL {
        get throws {
            let files = try cacheFiles
            return try #require(files.count == 1 ? files[0] : nil)
        }
    }

    var reports: [ConfigReport] { reported.withLock { $0 } }

    /// Returns options without a minimum interval, and with a timeout for a busy machine.
    func options(_ environment: String, version: String? = nil, defaults: ConfigDefaults = [:]) -> ConfigOptions {
        var options = ConfigOptions(
            environment: URL(string: environment)!, version: version, defaults: defaults, cache: cache)
        options.clock = clock
        options.random = FixedRandom(0)
        options.minimumInterval = .zero
        options.timeout = .seconds(120)
        options.report = { [self] report in reported.withLock { $0.append(report) } }
        return options
    }
}

/// Returns the failure of an operation that must fail.
func failure(_ body: () async throws(ConfigFailure) -> some Any) async -> ConfigFailure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension AppServer.Connection {
    /// Sends a config in Almanac's format.
    func config(_ cursor: String, _ body: String, _ headers: [String] = [], version: String = "1.0.0") {
        let revision = cursor.prefix { $0 != "." }
        let own = ["Almanac-Cursor: \(cursor)", "Almanac-Revision: \(revision)", "Almanac-Version: \(version)"]
        answer("200 OK", own + ["Content-Type: application/json"] + headers, body)
    }
}
