internal import Glibc

/// State shared by several threads, with a way to wait for a condition.
///
/// The state is only accessed while the lock is held. Every `update` wakes all waiting threads, which then check their
/// condition again.
@safe public final class Monitor<State>: @unchecked Sendable {
    // Safe to share because every access to `state` happens between lock and unlock of `mutex`, and the two pthread
    // objects keep their addresses until `deinit`.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    public init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes the state under the lock and wakes all waiting threads.
    public func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Changes the state under the lock and wakes one waiting thread. Correct only if any waiting thread can use the
    /// change and no other thread needs to see it.
    public func updateForOne<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_signal(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Reads the state under the lock and wakes no thread.
    public func read<Result>(_ body: (borrowing State) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Blocks until `ready` returns a value.
    ///
    /// - Parameters:
    ///   - limit: The time limit; nil waits indefinitely.
    ///   - wakesOthers: True if a change by `ready` can fulfil the condition of another thread.
    ///   - ready: A closure called under the lock, at the start and after every update. It may change the state. When
    ///     it returns a value, other waiting threads are woken.
    /// - Returns: The value of `ready`, or nil after the time limit.
    public func wait<Result>(
        upTo limit: Duration? = nil, wakesOthers: Bool = true, for ready: (inout State) throws -> Result?
    ) rethrows -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        var deadline = limit.map { timespec(monotonicAfter: $0) }
        while true {
            if let result = try ready(&state) {
                if wakesOthers { unsafe pthread_cond_broadcast(changed) }
                return result
            }
            RunnableThreads.makeWay()
            if deadline != nil {
                if unsafe pthread_cond_timedwait(changed, mutex, &deadline!) == ETIMEDOUT {
                    return try ready(&state)
                }
            } else {
                unsafe pthread_cond_wait(changed, mutex)
            }
        }
    }
}

extension timespec {
    fileprivate init(monotonicAfter duration: Duration) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        self.init(tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
