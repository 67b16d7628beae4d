internal import AlmanacPOSIX
internal import Synchronization

/// A bounded number of connections that threads take turns with.
///
/// Connections are made when they are needed. One that the server ended while it was idle is replaced without anybody
/// noticing; one that comes back broken, in a transaction or listening is closed.
public final class Pool: Sendable {
    private let settings: ConnectionSettings
    private let size: Int
    private let waitLimit: Duration
    private let state: Monitor<State>
    /// Whether the watch is over. Apart from the state: of those that wait there one alone is woken, which must be one
    /// that wants a connection.
    private let isOver: Monitor<Bool>

    private struct State {
        var idle: [Connection] = []
        /// Idle, lent out, or just being made.
        var open = 0
        /// Why the last attempt to connect failed, until one succeeds.
        var away: PostgresFailure?
        /// A thread is finding out whether the database is back.
        var isProbing = false
        var isClosed = false
        /// Those that are open, and some that were.
        var watched: [HangWatch.Subject] = []
        /// How often a thread was told `.busy`.
        var timeouts = 0
    }

    private enum Turn {
        case idle(Connection)
        case connect
        case refused(PostgresFailure)
    }

    /// - Parameters:
    ///   - size: how many connections may be open at the same time.
    ///   - waitLimit: how long a thread waits for one before it is told `.busy`.
    public init(_ settings: ConnectionSettings, size: Int, waitLimit: Duration = .seconds(5)) {
        precondition(size > 0, "a pool of no connections")
        self.settings = settings
        self.size = size
        self.waitLimit = waitLimit
        let (state, isOver) = (Monitor(State()), Monitor(false))
        (self.state, self.isOver) = (state, isOver)
        // Others, such as the command line, wait as long as it takes.
        guard settings.statementTimeout != nil else { return }
        _ = Thread(name: "watch") { Self.watch(state, until: isOver) }
    }

    deinit {
        isOver.update { $0 = true }
    }

    /// Ends connections of a server that hangs, for as long as the pool is there.
    private static func watch(_ state: Monitor<State>, until isOver: Monitor<Bool>) {
        while isOver.wait(upTo: HangWatch.interval, for: { $0 ? true : nil }) == nil {
            let subjects = state.read(\.watched)
            guard HangWatch.look(at: subjects) else { continue }
            let idle = state.update { state in
                // Whoever comes next need not find out by waiting.
                state.away = .unreachable("the server does not answer")
                state.open -= state.idle.count
                defer { state.idle = [] }
                return state.idle
            }
            _ = consume idle
        }
    }

    /// Lends a connection for the time of the call.
    ///
    /// While the database is away one thread at a time tries to connect and the others fail at once with what the last
    /// attempt found, so that a host that doesn't answer costs its time-out to one thread and not to all.
    ///
    /// - Throws: what `body` throws, `.unreachable`, or `.busy`.
    public func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try take()
        connection.lentAt.store(MonotonicClock.nanoseconds, ordering: .relaxed)
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Closes the idle connections now and those in use when they come back; asking for one is refused from now on.
    public func close() {
        isOver.update { $0 = true }
        let idle = state.update { state in
            state.isClosed = true
            state.open -= state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        // Here, outside of the lock, the last references end.
        _ = consume idle
    }

    /// How many connections are open (lent out or idle), how many of these are idle, and how many may be open.
    public var usage: (open: Int, idle: Int, size: Int) {
        state.read { ($0.open, $0.idle.count, size) }
    }

    /// How often so far a thread got no connection in time.
    public var timeouts: Int { state.read(\.timeouts) }

    private func take() throws(PostgresFailure) -> Connection {
        let deadline = ContinuousClock.now + waitLimit
        while true {
            // A thread that takes its turn leaves no more for the others than there was.
            switch state.wait(upTo: max(.zero, deadline - .now), wakesOthers: false, for: turn) {
            case .idle(let connection):
                if connection.isUsable { return connection }
                state.update { $0.open -= 1 }
            case .connect:
                return try connect()
            case .refused(let failure):
                throw failure
            case nil:
                state.update { $0.timeouts += 1 }
                throw .busy
            }
        }
    }

    /// The next step of a thread that wants a connection; nil to wait.
    private func turn(_ state: inout State) -> Turn? {
        if state.isClosed { return .refused(.unreachable("the pool is closed")) }
        if let connection = state.idle.popLast() { return .idle(connection) }
        if let away = state.away {
            if state.isProbing { return state.open == 1 ? .refused(away) : nil }
            guard state.open < size else { return nil }
            state.isProbing = true
            state.open += 1
            return .connect
        }
        guard state.open < size else { return nil }
        state.open += 1
        return .connect
    }

    private func connect() throws(PostgresFailure) -> Connection {
        do {
            let connection = try Connection(settings)
            let subject = HangWatch.Subject(connection: connection, probe: connection.probe)
            state.update { state in
                state.watched.removeAll { $0.connection == nil }
                state.watched.append(subject)
                state.away = nil
                state.isProbing = false
            }
            return connection
        } catch {
            state.update { state in
                state.open -= 1
                state.away = error
                state.isProbing = false
            }
            throw error
        }
    }

    private func giveBack(_ connection: Connection) {
        connection.lentAt.store(0, ordering: .relaxed)
        let isKept =
            connection.isClean
            // Only one of those that wait can have it; to wake them all for every request costs more than a query.
            && state.updateForOne { state in
                if !state.isClosed { state.idle.append(connection) }
                return !state.isClosed
            }
        if !isKept { state.update { $0.open -= 1 } }
    }
}
