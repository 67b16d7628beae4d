internal import AlmanacPOSIX
internal import Glibc

/// How long threads have been kept by PostgreSQL.
public enum DatabaseTime {
    /// The time that the calling thread has spent so far in connecting and running statements, in nanoseconds; waiting
    /// for a turn with one of a pool's connections is not in it.
    public static var nanoseconds: Int {
        // Safe because what is kept for the thread is a number, never an address.
        unsafe Int(bitPattern: pthread_getspecific(key))
    }

    /// Calls libpq and adds the time that it took to the thread's.
    static func counting<Answer, Failure>(_ call: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        let start = MonotonicClock.nanoseconds
        defer {
            // Safe for the same reason.
            unsafe pthread_setspecific(
                key, UnsafeRawPointer(bitPattern: nanoseconds + MonotonicClock.nanoseconds - start))
        }
        return try call()
    }
}

/// Where each thread keeps its number.
private let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "no room for another number in each thread: \(SystemFailure(code: code))")
    return key
}()
