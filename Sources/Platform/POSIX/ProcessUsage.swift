internal import Glibc

/// The resource usage of the current process, from `/proc` (proc(5)).
public struct ProcessUsage: Sendable {
    /// The processor time of all threads, in user and kernel mode, in seconds.
    public let cpuSeconds: Double
    public let residentBytes: Int
    public let virtualBytes: Int
    public let threads: Int
    /// The start time of the process, in seconds since 1970.
    public let startTime: Double
    public let openDescriptors: Int
    /// The soft limit on open descriptors.
    public let descriptorLimit: Int

    /// The current usage, or nil without a readable `/proc`.
    public static var now: ProcessUsage? {
        guard let stat = try? File.read("/proc/self/stat"), let descriptors = try? File.names(inFolder: "/proc/self/fd")
        else { return nil }
        // The folder itself is one of the open descriptors, so subtract it.
        return ProcessUsage(stat: String(decoding: stat, as: UTF8.self), openDescriptors: descriptors.count - 1)
    }

    private init?(stat: String, openDescriptors: Int) {
        // The second field is the program's name in parentheses, which may contain any character.
        guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[nameEnd...].split(separator: " ")
        // The first element is field 3 in the numbering of proc(5), after the parenthesis.
        func field(_ number: Int) -> Int? { fields.count > number - 2 ? Int(fields[number - 2]) : nil }
        guard let user = field(14), let kernel = field(15), let threads = field(20), let start = field(22),
            let virtualBytes = field(23), let residentPages = field(24)
        else { return nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        cpuSeconds = Double(user + kernel) / ticks
        self.threads = threads
        startTime = bootTime + Double(start) / ticks
        self.virtualBytes = virtualBytes
        residentBytes = residentPages * sysconf(Int32(_SC_PAGESIZE))
        self.openDescriptors = openDescriptors
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        descriptorLimit = Int(clamping: limit.rlim_cur)
    }
}

/// The boot time in seconds since 1970. Read once, because setting the clock would change the result.
private let bootTime: Double = {
    var sinceBoot = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
    return Double(WallClock.milliseconds) / 1000 - Double(sinceBoot.tv_sec) - Double(sinceBoot.tv_nsec) / 1e9
}()
