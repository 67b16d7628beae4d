import AlmanacTestSupport
import Glibc
import Testing

/// Services of the instance under test, as a drill does harm to them.
extension Instance {
    /// The process ids of a service: of PostgreSQL's postmaster, of the worker or events processes, of nginx's master.
    func pids(of service: String) throws -> [Int32] {
        try run("--pid", service).split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    }

    /// Kills a process of a service, and waits until another one is there. Of the instance's own cluster and its nginx
    /// `--start-service` says when they answer again.
    func killProcess(of service: String) throws {
        // A process that was killed a moment ago may be seen for some more.
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
