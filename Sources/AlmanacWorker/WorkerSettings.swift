internal import FastCGI
internal import POSIX

/// What a worker is told by its environment variables.
struct WorkerSettings {
    /// `ALMANAC_ENVIRONMENTS`: the file that lists the environments.
    let environmentsFile: String
    /// `ALMANAC_LISTEN`: `unix:/path` or `host:port`; without it, descriptor 0.
    let place: Listener.Place
    /// `ALMANAC_THREADS`: how many requests are handled at the same time.
    let threads: Int
    /// `ALMANAC_CONNECTIONS`: how many database connections requests share, per environment.
    let connections: Int

    init() throws(WorkerSettingsFailure) {
        environmentsFile = Process.variable("ALMANAC_ENVIRONMENTS") ?? "/etc/almanac/environments.json"
        place =
            if let address = Process.variable("ALMANAC_LISTEN") {
                .address(address.hasPrefix("unix:") ? String(address.dropFirst(5)) : address)
            } else {
                .inherited(descriptor: 0)
            }
        threads = try Self.number("ALMANAC_THREADS", in: 1...1024) ?? 32
        connections = try Self.number("ALMANAC_CONNECTIONS", in: 1...256) ?? 16
    }

    private static func number(_ name: String, in range: ClosedRange<Int>) throws(WorkerSettingsFailure) -> Int? {
        guard let text = Process.variable(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WorkerSettingsFailure(
                description: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

struct WorkerSettingsFailure: Error, CustomStringConvertible {
    let description: String
}
