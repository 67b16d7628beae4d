internal import AlmanacPOSIX
internal import Synchronization

/// A bounded pool of connections that threads borrow.
///
/// Connections are made on demand. An idle connection ended by the server is replaced silently. A returned connection
/// that is broken, in a transaction or listening is closed.
public final class Pool: Sendable {
    private let settings: ConnectionSettings
    private let size: Int
    private let waitLimit: Duration
    private let state: Monitor<State>
    /// True once the watch must end. A monitor separate from `state`, because a wake-up of one waiting thread there
    /// must reach a thread that wants a connection.
    private let watchHasEnded: Monitor<Bool>

    private struct State {
        var idle: [Connection] = []
        /// The number of connections that are idle, lent, or being made.
        var open = 0
        /// The error of the last attempt to connect, until an attempt succeeds.
        var connectFailure: PostgresFailure?
        /// True while a thread tries to reach the database again.
        var isProbing = false
        var isClosed = false
        /// The open connections, and some that were closed.
        var watched: [HangWatch.WatchedConnection] = []
        /// The number of `.busy` failures.
        var timeouts = 0
    }

    private enum NextStep {
        case idle(Connection)
        case connect
        case refused(PostgresFailure)
    }

    /// - Parameters:
    ///   - size: The limit on open connections.
    ///   - waitLimit: The time that a thread waits for a connection before it gets `.busy`.
    public init(_ settings: ConnectionSettings, size: Int, waitLimit: Duration = .seconds(5)) {
        precondition(size > 0, "a pool of no connections")
        self.settings = settings
        self.size = size
        self.waitLimit = waitLimit
        let (state, watchHasEnded) = (Monitor(State()), Monitor(false))
        (self.state, self.watchHasEnded) = (state, watchHasEnded)
        // Other programs, such as the command line, wait indefinitely.
        guard settings.statementTimeout != nil else { return }
        _ = Thread(name: "watch") { Self.watch(state, until: watchHasEnded) }
    }

    deinit { watchHasEnded.update { $0 = true } }

    /// Ends connections of a server that hangs, until the pool is released.
    private static func watch(_ state: Monitor<State>, until watchHasEnded: Monitor<Bool>) {
        while watchHasEnded.wait(upTo: HangWatch.interval, for: { $0 ? true : nil }) == nil {
            let subjects = state.read(\.watched)
            guard HangWatch.check(subjects) else { continue }
            let idle = state.update { state in
                // New borrowers then fail at once and don't wait for the same server.
                state.connectFailure = .unreachable("the server does not respond")
                state.open -= state.idle.count
                defer { state.idle = [] }
                return state.idle
            }
            _ = consume idle
        }
    }

    /// Lends a connection to a closure. Throws the error of the closure, `.unreachable`, or `.busy`.
    ///
    /// While the database is unavailable, one thread at a time tries to connect. Other threads fail at once with the
    /// error of the last attempt, so only one thread waits for the timeout of a dead host.
    public func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try borrow()
        connection.lentAt.store(MonotonicClock.nanoseconds, ordering: .relaxed)
        defer { returnToPool(connection) }
        return try body(connection)
    }

    /// Closes idle connections now, and lent ones when they are returned. New borrowers are refused.
    public func close() {
        watchHasEnded.update { $0 = true }
        let idle = state.update { state in
            state.isClosed = true
            state.open -= state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        // The last references end here, outside of the lock.
        _ = consume idle
    }

    /// The number of open connections (lent or idle), of idle ones, and the limit.
    public var usage: (open: Int, idle: Int, size: Int) { state.read { ($0.open, $0.idle.count, size) } }

    /// The number of threads that got no connection in time.
    public var timeouts: Int { state.read(\.timeouts) }

    private func borrow() throws(PostgresFailure) -> Connection {
        let deadline = ContinuousClock.now + waitLimit
        while true {
            // Taking a connection gives other threads no new opportunity, so waking them is useless.
            switch state.wait(upTo: max(.zero, deadline - .now), wakesOthers: false, for: nextStep) {
            case .idle(let connection):
                if connection.isUsable { return connection }
                state.update { $0.open -= 1 }
            case .connect: return try connect()
            case .refused(let failure): throw failure
            case nil:
                state.update { $0.timeouts += 1 }
                throw .busy
            }
        }
    }

    /// Returns the next step of a thread that wants a connection, or nil to wait.
    private func nextStep(_ state: inout State) -> NextStep? {
        if state.isClosed { return .refused(.unreachable("the pool is closed")) }
        if let connection = state.idle.popLast() { return .idle(connection) }
        if let connectFailure = state.connectFailure {
            if state.isProbing { return state.open == 1 ? .refused(connectFailure) : nil }
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
            let subject = HangWatch.WatchedConnection(connection: connection, probe: connection.probe)
            state.update { state in
                state.watched.removeAll { $0.connection == nil }
                state.watched.append(subject)
                state.connectFailure = nil
                state.isProbing = false
            }
            return connection
        } catch {
            state.update { state in
                state.open -= 1
                state.connectFailure = error
                state.isProbing = false
            }
            throw error
        }
    }

    private func returnToPool(_ connection: Connection) {
        connection.lentAt.store(0, ordering: .relaxed)
        let isKept =
            connection.isClean
            // Only one waiting thread can take the connection; waking all would cost more than a query.
            && state.updateForOne { state in
                if !state.isClosed { state.idle.append(connection) }
                return !state.isClosed
            }
        if !isKept { state.update { $0.open -= 1 } }
    }
}
