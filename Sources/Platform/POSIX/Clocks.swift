internal import AlmanacCLinux
internal import Glibc

public enum ThreadClock {
    /// The processor time of the calling thread since its start, in nanoseconds.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}

/// The time of day of this machine.
public enum WallClock {
    /// True if the kernel reports a synchronized clock (adjtimex(2)); nil without permission to ask.
    public static var isSynchronized: Bool? {
        var state = timex()
        let code = unsafe adjtimex(&state)
        return code < 0 ? nil : code != TIME_ERROR
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static var milliseconds: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}

/// A clock for durations, which never goes back.
public enum MonotonicClock {
    /// Nanoseconds since an unspecified moment before the start of the process.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
