internal import Glibc
internal import Synchronization

/// A group of threads of which only a few run at the same time, apart from those that wait for something.
///
/// A context switch costs as much as a short request, so one thread that answers several short requests in a row is
/// faster than several that wake up for one request each. A thread that is about to wait, or to work for long, makes
/// way for another one of its group. I/O completion ports limit threads in the same way (there: the concurrency
/// value), and so does `java.util.concurrent.ForkJoinPool.ManagedBlocker`.
@safe public final class RunnableThreads: @unchecked Sendable {
    // Safe to share because the semaphore keeps its address until `deinit`, and all else is behind the lock or atomic.
    private struct State {
        var limit: Int
        /// The threads that run or may run next.
        var running = 0
        /// The threads that wait for a post of the semaphore, without those that a post has already been made for.
        var parked = 0
    }

    /// Invariant: no thread is parked while fewer than `limit` are running.
    private let state: Mutex<State>
    /// True if more threads run than the limit allows.
    private let isCrowded = Atomic(false)
    private let permits: UnsafeMutablePointer<sem_t>

    private let spare: Int

    /// - Parameters:
    ///   - limit: By default, the number of processors. Fewer threads leave a processor idle whenever the web server,
    ///     which `deploy/run` gives a higher priority, takes the processor of one of them.
    ///   - spare: The number of threads above the limit that may look for requests after they have waited. Without
    ///     these threads, each request that waits would have to wake one.
    public init(limit: Int? = nil, spare: Int = 4) {
        self.spare = spare
        state = Mutex(State(limit: limit ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        unsafe permits = .allocate(capacity: 1)
        unsafe sem_init(permits, 0, 0)
    }

    deinit {
        unsafe sem_destroy(permits)
        unsafe permits.deallocate()
    }

    /// Runs a closure on the calling thread as one of the group.
    public func run(_ body: () -> Void) {
        let member = Member(of: self)
        // Safe because the member outlives the body.
        unsafe Member.pointer.value = Unmanaged.passUnretained(member).toOpaque()
        member.rest()
        body()
        member.makeWay()
        unsafe Member.pointer.value = nil
    }

    /// Lets another thread of the caller's group run until the next `rest`, because the caller is about to wait or to
    /// work for long. Without effect on a thread outside of a group.
    public static func makeWay() { Member.current?.makeWay() }

    /// Waits until the calling thread may run, before it looks for a request.
    public static func rest() { Member.current?.rest() }

    /// Lets all threads run, so that each of them can end.
    public func liftLimit() {
        let parked = state.withLock { state in
            state.limit = .max - spare
            state.running += state.parked
            defer { state.parked = 0 }
            return state.parked
        }
        isCrowded.store(false, ordering: .relaxed)
        for _ in 0..<parked { unsafe sem_post(permits) }
    }

    private func enter(spare: Int) {
        let mayRun = state.withLock { state in
            let mayRun = state.running < state.limit + spare
            if mayRun { state.running += 1 } else { state.parked += 1 }
            isCrowded.store(state.running > state.limit, ordering: .relaxed)
            return mayRun
        }
        if mayRun { return }
        while unsafe sem_wait(permits) != 0 { precondition(errno == EINTR, "sem_wait: \(SystemFailure.last)") }
    }

    private func leave() {
        let wakesOne = state.withLock { state in
            state.running -= 1
            let wakesOne = state.running < state.limit && state.parked > 0
            if wakesOne {
                state.running += 1
                state.parked -= 1
            }
            isCrowded.store(state.running > state.limit, ordering: .relaxed)
            return wakesOne
        }
        if wakesOne { unsafe sem_post(permits) }
    }

    /// A thread of a group, which alone uses the value.
    private final class Member {
        private let group: RunnableThreads
        private var isRunning = false

        init(of group: RunnableThreads) { self.group = group }

        static var current: Member? {
            // Safe because `run` keeps the member alive, and it alone stores one.
            unsafe pointer.value.map { unsafe Unmanaged<Member>.fromOpaque($0).takeUnretainedValue() }
        }

        static let pointer = ThreadPointer()

        func makeWay() {
            guard isRunning else { return }
            isRunning = false
            group.leave()
        }

        func rest() {
            let spare = isRunning ? 0 : group.spare
            if isRunning {
                guard group.isCrowded.load(ordering: .relaxed) else { return }
                makeWay()
            }
            group.enter(spare: spare)
            isRunning = true
        }
    }
}
