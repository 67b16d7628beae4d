import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization

/// A device for a test: a folder, a clock, and what was reported.
final class Sandbox: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    private let reported = Mutex<[ConfigReport]>([])

    init() throws {
        folder = try TemporaryFolder()
    }

    var cache: URL { URL(filePath: "\(folder.path)/config.cache") }

    var reports: [ConfigReport] { reported.withLock { $0 } }

    /// Options for an app that asks as often as it likes, on a machine that may be busy.
    func options(_ environment: String, version: String? = nil, defaults: ConfigDefaults = [:]) -> ConfigOptions {
        var options = ConfigOptions(
            environment: URL(string: environment)!, version: version, defaults: defaults, cache: cache)
        options.clock = clock
        options.random = Bits(0)
        options.minimumInterval = .zero
        options.timeout = .seconds(120)
        options.report = { [self] report in reported.withLock { $0.append(report) } }
        return options
    }

    /// Lets a second pass every few milliseconds until the task is cancelled.
    func passTime() -> Task<Void, Never> {
        Task { [clock] in
            while (try? await Task.sleep(for: .milliseconds(5))) != nil { clock.advance(by: .seconds(1)) }
        }
    }
}

/// The same bits each time; with none of them, waits are the shortest that they can be.
struct Bits: RandomSource {
    private let bits: UInt64

    init(_ bits: UInt64) {
        self.bits = bits
    }

    func next() -> UInt64 { bits }
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
