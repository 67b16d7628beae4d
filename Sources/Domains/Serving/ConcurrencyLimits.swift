internal import AlmanacHTTP

/// The limits on concurrent requests in a server process, by work and by caller.
///
/// The limits leave enough threads for answers from memory, and enough connections to refresh the config in memory.
struct ConcurrencyLimits {
    private let threads: Int
    private let connections: Int

    /// - Parameters:
    ///   - threads: The number of requests that the process can work on at the same time.
    ///   - connections: The number of database connections for those requests, per environment.
    init(threads: Int, connections: Int) {
        self.threads = threads
        self.connections = connections
    }

    /// The maximum number of threads that wait for the keys of identity providers.
    var maxKeyWaits: Int { max(1, threads / 8) }

    func maxPerProcess(_ kind: WorkClaim.Kind) -> Int {
        switch kind {
        case .revision: max(1, threads / 8)
        // These requests keep a processor busy, and reads of the config from memory need time in between.
        case .config: max(1, threads / 16)
        case .notes: max(1, threads / 3)
        case .pieces: max(1, threads / 4)
        // The process for streams has no other work.
        case .session: max(1, threads / 2)
        }
    }

    func maxPerEnvironment(_ kind: WorkClaim.Kind) -> Int {
        switch kind {
        case .revision: maxPerProcess(kind)
        case .config: max(1, connections / 4)
        case .notes: max(1, connections - maxPerEnvironment(.config) - maxPerEnvironment(.pieces) - 1)
        case .pieces: max(1, min(maxPerProcess(kind), connections / 8))
        case .session: max(1, min(maxPerProcess(kind), connections - 1))
        }
    }

    func maxPerCaller(_ claim: WorkClaim) -> Int {
        if [.revision, .session].contains(claim.kind) { return maxPerProcess(claim.kind) }
        return claim.isChange ? 1 : 2
    }

    /// Returns the maximum number of waiting requests of a caller. Callers without credentials share one limit.
    func maxWaiting(of claim: WorkClaim) -> Int {
        switch claim.kind {
        case .revision, .session: Self.maxWaitingInProcess
        case .config: 256
        case .notes, .pieces: 64
        }
    }

    /// The maximum number of waiting requests in the process.
    static let maxWaitingInProcess = 1024
}

/// The running and waiting requests of a server process; a value without clock, lock or thread.
///
/// Invariant: no request waits that could begin. A request that ends makes room for at most one, which begins at once.
struct WorkQueue<Ticket> {
    private let limits: ConcurrencyLimits
    private var runningInProcess: [WorkClaim.Kind: Int] = [:]
    private var runningInEnvironment: [EnvironmentWork: Int] = [:]
    private var lanes: [Lane: LaneState] = [:]
    /// The lanes with waiting requests. The lane that was served last is at the end.
    private var waitingLanes: [Lane] = []
    private(set) var waiting = 0

    fileprivate struct EnvironmentWork: Hashable {
        let environment: String
        let kind: WorkClaim.Kind
    }

    private struct LaneState {
        var running = 0
        /// The waiting requests, in order of arrival.
        var waiting: [Ticket] = []
    }

    /// A caller in one environment with one kind of work. The requests of a lane share a queue.
    struct Lane: Hashable {
        let environment: String
        let claim: WorkClaim

        fileprivate var environmentWork: EnvironmentWork { EnvironmentWork(environment: environment, kind: claim.kind) }
    }

    enum Admission {
        /// The request begins, and `end` must be called when it is done.
        case begins
        /// The request waits until `end` returns it.
        case waits
        /// The caller already has too many waiting requests.
        case callerHasTooMany
        /// The process already has too many waiting requests.
        case full
    }

    init(_ limits: ConcurrencyLimits) { self.limits = limits }

    mutating func admit(_ lane: Lane, _ ticket: Ticket) -> Admission {
        if mayBegin(lane) {
            begin(lane)
            return .begins
        }
        let queued = lanes[lane, default: LaneState()].waiting.count
        if queued >= limits.maxWaiting(of: lane.claim) { return .callerHasTooMany }
        if waiting >= ConcurrencyLimits.maxWaitingInProcess { return .full }
        if queued == 0 { waitingLanes.append(lane) }
        lanes[lane, default: LaneState()].waiting.append(ticket)
        waiting += 1
        return .waits
    }

    /// Ends the work of a request and returns the next request, which has already begun.
    mutating func end(_ lane: Lane) -> (lane: Lane, ticket: Ticket)? {
        runningInProcess[lane.claim.kind]! -= 1
        runningInEnvironment[lane.environmentWork]! -= 1
        lanes[lane]!.running -= 1
        defer { if lanes[lane].map({ $0.running == 0 && $0.waiting.isEmpty }) == true { lanes[lane] = nil } }
        guard let index = waitingLanes.firstIndex(where: mayBegin) else { return nil }
        let next = waitingLanes.remove(at: index)
        let ticket = lanes[next]!.waiting.removeFirst()
        if !lanes[next]!.waiting.isEmpty { waitingLanes.append(next) }
        waiting -= 1
        begin(next)
        return (next, ticket)
    }

    private func mayBegin(_ lane: Lane) -> Bool {
        let kind = lane.claim.kind
        return runningInProcess[kind, default: 0] < limits.maxPerProcess(kind)
            && runningInEnvironment[lane.environmentWork, default: 0] < limits.maxPerEnvironment(kind)
            && lanes[lane, default: LaneState()].running < limits.maxPerCaller(lane.claim)
    }

    private mutating func begin(_ lane: Lane) {
        runningInProcess[lane.claim.kind, default: 0] += 1
        runningInEnvironment[lane.environmentWork, default: 0] += 1
        lanes[lane, default: LaneState()].running += 1
    }
}
