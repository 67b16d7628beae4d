internal import AlmanacPOSIX

/// The time that threads have waited for PostgreSQL.
public enum DatabaseTime {
    /// The calling thread's total time in connecting and running statements, in nanoseconds. Waiting for a connection
    /// of a pool is not included.
    public static var nanoseconds: Int {
        // Safe because the stored value is a number, never an address.
        unsafe Int(bitPattern: pointer.value)
    }

    /// Calls libpq and adds the elapsed time to the thread's total.
    static func counting<Answer, Failure>(_ call: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        RunnableThreads.makeWay()
        let start = MonotonicClock.nanoseconds
        defer {
            // Safe for the same reason.
            unsafe pointer.value = UnsafeMutableRawPointer(
                bitPattern: nanoseconds + MonotonicClock.nanoseconds - start)
        }
        return try call()
    }
}

private let pointer = ThreadPointer()
