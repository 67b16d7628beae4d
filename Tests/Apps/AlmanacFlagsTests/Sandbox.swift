import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Synchronization

/// A simulated device with a folder, a clock and a list of reports.
final class Sandbox: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    private let reported = Mutex<[FlagReport]>([])

    init() throws { folder = try TemporaryFolder() }

    var cache: URL { URL(filePath: "\(folder.path)/flags") }

    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []).sorted() }

    var reports: [FlagReport] { reported.withLock { $0 } }

    /// Returns options without a minimum interval, and with a timeout for a busy machine.
    func options(_ environment: String, _ context: FlagContext = FlagContext(targetingKey: "ada")) -> FlagOptions {
        var options = FlagOptions(environment: URL(string: environment)!, context: context, cache: cache)
        options.clock = clock
        options.random = FixedRandom.lowest
        options.minimumInterval = .zero
        options.timeout = .seconds(120)
        options.report = { [self] report in reported.withLock { $0.append(report) } }
        return options
    }
}

/// Returns the failure of an operation that must fail.
func failure(_ body: () async throws(FlagFailure) -> some Any) async -> FlagFailure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension AppServer.Connection {
    func flags(_ cursor: String, _ flags: String, _ headers: [String] = [], members: String = "") {
        let own = ["Almanac-Cursor: \(cursor)", "Almanac-Version: 1.0.0", "Content-Type: application/json"]
        answer("200 OK", own + headers, "{\"flags\":[\(flags)]\(members)}")
    }
}

extension AppServer.Request {
    var isStream: Bool { method == "GET" }
    var targetingKey: String? { body.firstMatch(of: /"targetingKey":"(\w+)"/).map { String($0.output.1) } }
}

/// Returns an evaluated flag in the server's format.
func evaluated(_ key: String, _ value: String, _ variant: String = "on", _ reason: String = "TARGETING_MATCH") -> String
{
    #"{"key":"\#(key)","value":\#(value),"reason":"\#(reason)","variant":"\#(variant)","metadata":{}}"#
}
