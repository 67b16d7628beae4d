import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization

/// A simulated device with a folder, a clock and a list of reports.
final class Sandbox: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    private let reported = Mutex<[ConfigReport]>([])

    init() throws { folder = try TemporaryFolder() }

    var cache: URL { URL(filePath: "\(folder.path)/config.cache") }

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

    /// Advances the clock by a second every few milliseconds until the task is cancelled.
    func passTime() -> Task<Void, Never> {
        Task { [clock] in
            while (try? await Task.sleep(for: .milliseconds(5))) != nil { clock.advance(by: .seconds(1)) }
        }
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
