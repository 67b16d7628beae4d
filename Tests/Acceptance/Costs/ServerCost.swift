import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

/// The processor time and memory that the worker and the events processes use for some work, together.
struct ServerCost {
    /// The user and system time.
    let processor: Duration
    /// The peak of the resident memory minus the resident memory before the work, in bytes.
    let memory: Int

    /// Measures work while the instance is otherwise idle.
    static func measured<Result>(
        on instance: Instance, _ work: () throws -> Result
    ) throws -> (result: Result, cost: ServerCost) {
        try measured(in: instance.pids(of: "worker") + instance.pids(of: "events"), work)
    }

    /// Measures work in some processes that are otherwise idle.
    static func measured<Result>(
        in pids: [Int32], _ work: () throws -> Result
    ) throws -> (result: Result, cost: ServerCost) {
        // Writing 5 to clear_refs resets the peak: proc(5).
        let forget = pids.map { "echo 5 >/proc/\($0)/clear_refs" }.joined(separator: "\n")
        try #require(Command.run("bash", ["-c", forget]).succeeded)
        let resident = try pids.map { try bytes("VmRSS", of: $0) }
        let before = try pids.map(processorTime)
        let result = try work()
        let processor = try zip(pids, before).reduce(.zero) { $0 + (try processorTime(of: $1.0)) - $1.1 }
        let memory = try zip(pids, resident).reduce(0) { $0 + max(0, try bytes("VmHWM", of: $1.0) - $1.1) }
        return (result, ServerCost(processor: processor, memory: memory))
    }

    /// Returns the processor time of a process, including threads that have ended: clock_getcpuclockid(3).
    private static func processorTime(of pid: Int32) throws -> Duration {
        var clock = clockid_t()
        var time = timespec()
        try #require(unsafe clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns a field of /proc/PID/status, which is in KiB, in bytes: proc(5).
    private static func bytes(_ name: String, of pid: Int32) throws -> Int {
        let status = String(decoding: try File.read("/proc/\(pid)/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }
}
