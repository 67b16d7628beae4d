internal import AlmanacCLibPQ
internal import AlmanacPOSIX
internal import Glibc
internal import Synchronization

/// A session with a PostgreSQL server.
///
/// A connection does one thing at a time and blocks its thread meanwhile. The session ends with the last reference.
@safe public final class Connection: @unchecked Sendable {
    // Safe to pass between threads because a connection has one owner at a time: its creator, or the borrower from the
    // pool. Nothing here is safe to call from two threads at once.
    let pointer: OpaquePointer
    /// The prepared statements of this session, by name.
    var prepared: [String: PreparedStatement] = [:]
    var isListening = false
    /// True if the state of the session is unknown, so that it must not be used any more.
    var isBroken = false
    var hasCommitted = false
    /// The time at which a pool lent the connection, from `MonotonicClock`, or 0 while idle.
    let lentAt = Atomic(0)
    /// A duplicate of the socket's descriptor, which no other code can close or reuse.
    private let handle: Int32

    /// Connects, or throws `.unreachable`. Takes up to `connect_timeout` per host (5 s unless the conninfo sets it).
    public init(_ settings: ConnectionSettings) throws(PostgresFailure) {
        try settings.check()
        let keywords = CStrings(settings.options.map(\.keyword))
        let values = CStrings(settings.options.map(\.value))
        let connected = unsafe keywords.withTable { keywords in
            unsafe values.withTable { values in
                unsafe DatabaseTime.counting { unsafe PQconnectdbParams(keywords, values, 1) }
            }
        }
        guard let connected = unsafe connected else { throw .unreachable("out of memory") }
        guard unsafe PQstatus(connected) == CONNECTION_OK else {
            let reason = unsafe String(cString: PQerrorMessage(connected)).asOneLine
            unsafe PQfinish(connected)
            throw .unreachable(reason)
        }
        unsafe pointer = connected
        handle = fcntl(unsafe PQsocket(connected), F_DUPFD_CLOEXEC, 0)
        // libpq would write notices to standard error, between the lines of a log.
        unsafe PQsetNoticeReceiver(connected, { _, _ in }, nil)
        if let timeout = settings.statementTimeout { try limitStatements(to: timeout) }
    }

    /// Sets the timeout with a statement, because PgBouncer refuses start-up options.
    private func limitStatements(to timeout: Duration) throws(PostgresFailure) {
        do {
            try execute(script: "set statement_timeout = \(Int64(timeout / .milliseconds(1)))")
        } catch {
            // The server has already ended the session, for example because it is shutting down.
            throw .unreachable("\(error)")
        }
    }

    deinit {
        unsafe PQfinish(pointer)
        close(handle)
    }

    /// Ends the session from another thread. A thread that waits for a result gets `.lost`.
    ///
    /// Safe to call at any time, because it only uses a descriptor that never changes.
    func interrupt() { shutdown(handle, Int32(SHUT_RDWR)) }

    /// A probe of this session's server, which takes at most 2 s. Only the connection's owner may read it.
    var probe: ServerProbe {
        let others = ["service", "host", "hostaddr", "port", "target_session_attrs", "connect_timeout"]
        var options = options.filter { !others.contains($0.keyword) }
        options.append(("host", unsafe String(cString: PQhost(pointer))))
        options.append(("port", unsafe String(cString: PQport(pointer))))
        options.append(("connect_timeout", "2"))
        return ServerProbe(options: options)
    }

    /// The id of the server process of this session (`pg_stat_activity.pid`).
    public var processID: Int32 { unsafe PQbackendPID(pointer) }

    /// True if the session is not broken, and the server has not ended it while it was idle.
    public var isUsable: Bool {
        guard !isBroken, isConnected else { return false }
        guard isIdle else { return true }
        // The loop is bounded, though no server sends that many messages unasked.
        for _ in 0..<64 {
            guard Poll.readable([socket], upTo: .zero) != nil else { return true }
            // An idle session that listens receives notifications; any other receives only the reason of its end.
            guard isListening, unsafe PQconsumeInput(pointer) == 1, isConnected else { return false }
        }
        return false
    }

    /// True if another borrower can use the session like a new one.
    var isClean: Bool { !isBroken && isConnected && isIdle && !isListening }

    var isConnected: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

    /// True if no transaction is open and no statement runs.
    var isIdle: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_IDLE }

    var socket: Int32 { unsafe PQsocket(pointer) }

    var lastMessage: String { unsafe String(cString: PQerrorMessage(pointer)).asOneLine }

    /// Converts a result of libpq, which it takes over, to a query result or an error.
    func check(takingOwnership answer: OpaquePointer?) throws(PostgresFailure) -> QueryResult {
        guard let answer = unsafe answer else {
            isBroken = true
            throw .lost(lastMessage)
        }
        let result = unsafe QueryResult(takingOwnership: answer)
        guard isConnected else { throw .lost(lastMessage) }
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
        case PGRES_FATAL_ERROR:
            if let error = result.serverError { throw .refused(error) }
            // An error without a code is libpq's own, and leaves the session in an undefined state.
            isBroken = true
            throw .lost(lastMessage)
        default:
            isBroken = true
            throw .unexpectedResult("the server began to copy rows, which is not supported")
        }
    }

    /// The effective connection options of libpq, including the password.
    ///
    /// Used to pass the login to PostgreSQL's own programs, in a file that only they can read.
    public var options: [(keyword: String, value: String)] {
        var options: [(keyword: String, value: String)] = []
        // Safe because the answer is copied and then freed, once, and ends with a null keyword.
        let first = unsafe PQconninfo(pointer)
        defer { unsafe PQconninfoFree(first) }
        guard var option = unsafe first else { return [] }
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                let text = unsafe String(cString: value)
                if !text.isEmpty { options.append((unsafe String(cString: keyword), text)) }
            }
            unsafe option += 1
        }
        return options
    }
}
