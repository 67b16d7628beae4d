internal import AlmanacHTTP

/// The limits on concurrent requests in a server process, by work and by caller.
///
/// The limits leave enough threads for answers from memory, and enough connections to refresh the config in memory.
struct WorkShares {
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
    var keyWaits: Int { max(1, threads / 8) }

    func inProcess(_ work: Claim.Work) -> Int {
        switch work {
        case .revision: max(1, threads / 8)
        // These requests keep a processor busy, and config reads from memory need one in between.
        case .config: max(1, threads / 16)
        // A process that has the one kind has none of the other.
        case .notes, .session: max(1, threads / 2)
        }
    }

    func inEnvironment(_ work: Claim.Work) -> Int {
        switch work {
        case .revision: inProcess(work)
        case .config: max(1, connections / 4)
        case .notes: max(1, connections - inEnvironment(.config) - 1)
        case .session: max(1, min(inProcess(work), connections - 1))
        }
    }

    func ofCaller(_ claim: Claim) -> Int {
        if [.revision, .session].contains(claim.work) { return inProcess(claim.work) }
        return claim.isChange ? 1 : 2
    }

    /// Returns the maximum number of waiting requests of a caller. Callers without credentials share one limit.
    func waiting(of claim: Claim) -> Int {
        switch claim.work {
        case .revision, .session: Self.mostWaiting
        case .config: 256
        case .notes: 64
        }
    }

    /// The maximum number of waiting requests in the process.
    static let mostWaiting = 1024
}

/// The running and waiting requests of a server process; a value without clock, lock or thread.
///
/// Invariant: no request waits that could begin. A request that ends makes room for at most one, which begins at once.
struct WorkQueue<Ticket> {
    private let shares: WorkShares
    private var inProcess: [Claim.Work: Int] = [:]
    private var inEnvironment: [Place: Int] = [:]
    private var callers: [Caller: Line] = [:]
    /// The callers with waiting requests, with the caller of the latest turn at the end.
    private var turns: [Caller] = []
    private(set) var waiting = 0

    fileprivate struct Place: Hashable {
        let environment: String
        let work: Claim.Work
    }

    private struct Line {
        var atWork = 0
        /// The waiting requests, in order of arrival.
        var waiting: [Ticket] = []
    }

    /// A caller whose requests share a queue, for one environment and one kind of work.
    struct Caller: Hashable {
        let environment: String
        let claim: Claim

        fileprivate var place: Place { Place(environment: environment, work: claim.work) }
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

    init(_ shares: WorkShares) {
        self.shares = shares
    }

    mutating func admit(_ caller: Caller, _ ticket: Ticket) -> Admission {
        if mayBegin(caller) {
            begin(caller)
            return .begins
        }
        let line = callers[caller, default: Line()].waiting.count
        if line >= shares.waiting(of: caller.claim) { return .callerHasTooMany }
        if waiting >= WorkShares.mostWaiting { return .full }
        if line == 0 { turns.append(caller) }
        callers[caller, default: Line()].waiting.append(ticket)
        waiting += 1
        return .waits
    }

    /// Ends the work of a request and returns the next request, which has already begun.
    mutating func end(_ caller: Caller) -> (caller: Caller, ticket: Ticket)? {
        inProcess[caller.claim.work]! -= 1
        inEnvironment[caller.place]! -= 1
        callers[caller]!.atWork -= 1
        defer { if callers[caller].map({ $0.atWork == 0 && $0.waiting.isEmpty }) == true { callers[caller] = nil } }
        guard let index = turns.firstIndex(where: mayBegin) else { return nil }
        let next = turns.remove(at: index)
        let ticket = callers[next]!.waiting.removeFirst()
        if !callers[next]!.waiting.isEmpty { turns.append(next) }
        waiting -= 1
        begin(next)
        return (next, ticket)
    }

    private func mayBegin(_ caller: Caller) -> Bool {
        let work = caller.claim.work
        return inProcess[work, default: 0] < shares.inProcess(work)
            && inEnvironment[caller.place, default: 0] < shares.inEnvironment(work)
            && callers[caller, default: Line()].atWork < shares.ofCaller(caller.claim)
    }

    private mutating func begin(_ caller: Caller) {
        inProcess[caller.claim.work, default: 0] += 1
        inEnvironment[caller.place, default: 0] += 1
        callers[caller, default: Line()].atWork += 1
    }
}
