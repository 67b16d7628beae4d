import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization

/// A device for a test: a folder, a clock, and what was reported.
final class Sandbox: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    private let told = Mutex<[ConfigReport]>([])

    init() throws {
        folder = try TemporaryFolder()
    }

    var cache: URL { URL(filePath: "\(folder.path)/config.cache") }

    var reports: [ConfigReport] { told.withLock { $0 } }

    /// Options for an app that asks as often as it likes, on a machine that may be busy.
    func options(_ environment: String, version: String? = nil, defaults: ConfigDefaults = [:]) -> ConfigOptions {
        var options = ConfigOptions(
            environment: URL(string: environment)!, version: version, defaults: defaults, cache: cache)
        options.clock = clock
        options.random = { 0 }
        options.minimumInterval = .zero
        options.timeout = .seconds(120)
        options.report = { [self] report in told.withLock { $0.append(report) } }
        return options
    }
}

/// The failure of something that has to fail.
func failure(_ body: () async throws(ConfigFailure) -> some Any) async -> ConfigFailure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
