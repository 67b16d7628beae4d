internal import Glibc

/// A clock for measuring how long something takes; it never goes back.
public enum MonotonicClock {
    /// Nanoseconds since some moment before the process began.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
