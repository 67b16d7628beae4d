import AlmanacTestSupport
import Glibc
import Testing

/// Services of the instance, which fault tests kill.
extension Instance {
    /// Returns the process ids of a service. For PostgreSQL and nginx, this is only the main process.
    func pids(of service: String) throws -> [Int32] {
        try run("--pid", service).split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    }

    /// Kills a process of a service, and waits until another one runs (PostgreSQL and nginx: until it answers).
    func killProcess(of service: String) throws {
        // A killed process may stay visible for a moment.
        var pid: Int32?
        try #require(
            try eventually(within: .seconds(20)) {
                pid = try pids(of: service).first
                return pid.map { kill($0, SIGKILL) == 0 } ?? false
            }, "\(service) does not run")
        let isSupervised = service == "worker" || service == "events"
        try #require(
            eventually(within: .seconds(20)) {
                (isSupervised || (try? run("--start-service", service)) != nil)
                    && (try? pids(of: service).first).map { $0 != pid } ?? false
            }, "\(service) does not come back")
    }
}
