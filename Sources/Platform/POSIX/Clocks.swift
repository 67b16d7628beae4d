internal import AlmanacCLinux
internal import Glibc

/// A clock for what a thread costs: its time on a processor, without what it waits for.
public enum ThreadClock {
    /// Nanoseconds that the calling thread has run since it began.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}

/// The time of day of this machine.
public enum WallClock {
    /// Whether a time service keeps it right, as the kernel knows (adjtimex(2)); nil where nobody may ask.
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

/// A clock for measuring how long something takes; it never goes back.
public enum MonotonicClock {
    /// Nanoseconds since some moment before the process began.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
