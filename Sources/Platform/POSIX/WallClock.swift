internal import Glibc

/// The time of day of this machine.
public enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static var milliseconds: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
