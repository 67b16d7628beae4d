internal import Glibc

/// The running process's use of the machine, from `/proc` (proc(5)).
public struct ProcessUsage: Sendable {
    /// Processor time of all threads, in the kernel too; in seconds.
    public let cpuSeconds: Double
    public let residentBytes: Int
    public let virtualBytes: Int
    public let threads: Int
    /// When the process began, in seconds since 1970.
    public let startTime: Double
    public let openDescriptors: Int
    /// How many may be open: the soft limit.
    public let descriptorLimit: Int

    /// The usage right now; nil where there is no readable `/proc`.
    public static var now: ProcessUsage? {
        guard let stat = try? File.read("/proc/self/stat"), let descriptors = try? File.names(inFolder: "/proc/self/fd")
        else { return nil }
        // One of the descriptors was that of the folder itself.
        return ProcessUsage(stat: String(decoding: stat, as: UTF8.self), openDescriptors: descriptors.count - 1)
    }

    private init?(stat: String, openDescriptors: Int) {
        // The second field is the program's name, which may hold anything, in parentheses.
        guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[nameEnd...].split(separator: " ")
        // The first of these is the third of proc(5).
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

/// When the machine was started, in seconds since 1970; asked once, because setting the clock would move it.
private let bootTime: Double = {
    var sinceBoot = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
    return Double(WallClock.milliseconds) / 1000 - Double(sinceBoot.tv_sec) - Double(sinceBoot.tv_nsec) / 1e9
}()
