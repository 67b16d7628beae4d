internal import AlmanacHTTP

/// How many requests may be at work at the same time in a server process, by what they ask for and for whom.
///
/// The parts that all of them together leave of the threads answer from memory, and that of the connections keeps the
/// config in memory up to date.
struct WorkShares {
    private let threads: Int
    private let connections: Int

    /// - Parameters:
    ///   - threads: how many requests the process can work on at the same time.
    ///   - connections: how many connections to the database an environment has for them.
    init(threads: Int, connections: Int) {
        self.threads = threads
        self.connections = connections
    }

    /// How many threads may wait for the keys of identity providers.
    var keyWaits: Int { max(1, threads / 8) }

    func inProcess(_ work: Claim.Work) -> Int {
        switch work {
        case .revision, .config: max(1, threads / 8)
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

    /// How many of a caller's requests may wait; of all together who don't say who they are.
    func waiting(of claim: Claim) -> Int {
        switch claim.work {
        case .revision, .session: Self.mostWaiting
        case .config: 256
        case .notes: 64
        }
    }

    /// How many may wait in the process.
    static let mostWaiting = 1024
}

/// The requests at work in a server process, and those that wait for a turn; a value without clock, lock or thread.
///
/// Invariant: no request waits that could begin. What ends makes room for one at most, which then takes its place.
struct WorkQueue<Ticket> {
    private let shares: WorkShares
    private var inProcess: [Claim.Work: Int] = [:]
    private var inEnvironment: [Place: Int] = [:]
    private var callers: [Caller: Line] = [:]
    /// Those of `callers` who have somebody waiting; who had a turn last comes last.
    private var turns: [Caller] = []
    private(set) var waiting = 0

    fileprivate struct Place: Hashable {
        let environment: String
        let work: Claim.Work
    }

    private struct Line {
        var atWork = 0
        /// In the order in which they came.
        var waiting: [Ticket] = []
    }

    /// Someone whose requests take turns: in one environment, with one kind of work.
    struct Caller: Hashable {
        let environment: String
        let claim: Claim

        fileprivate var place: Place { Place(environment: environment, work: claim.work) }
    }

    enum Admission {
        /// The request begins, and `end` is called when it is done.
        case begins
        /// It waits for its turn, which `end` gives it.
        case waits
        /// Too many of the caller's wait already.
        case callerHasTooMany
        /// Too many wait already.
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

    /// Ends the work of a request.
    ///
    /// - Returns: the request whose turn it is now, which has begun.
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
