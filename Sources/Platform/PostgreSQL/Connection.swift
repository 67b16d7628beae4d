internal import AlmanacCLibPQ
internal import AlmanacPOSIX
internal import Glibc
internal import Synchronization

/// One session with a PostgreSQL server.
///
/// A connection does one thing at a time and blocks the thread while it does it. It ends when the last reference to it
/// goes.
@safe public final class Connection: @unchecked Sendable {
    // Safe to hand from thread to thread because a connection has one owner at a time: whoever made it, or whom the
    // pool lent it to. Nothing here is safe to call from two threads at once.
    let pointer: OpaquePointer
    /// The statements that the server has prepared in this session, by name.
    var prepared: [String: PreparedStatement] = [:]
    var isListening = false
    /// The state of the session is unknown, so it may not be used any more.
    var isBroken = false
    /// The transaction at work has run its last statement.
    var hasCommitted = false
    /// When a pool has lent it, by `MonotonicClock`; 0 while it is idle.
    let lentAt = Atomic(0)
    /// The same socket under a number of its own, which nobody else can get while the connection is there.
    private let handle: Int32

    /// Connects, which takes up to `connect_timeout` (5 s unless the conninfo says otherwise) per host.
    ///
    /// - Throws: `.unreachable`.
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
        // Notices would otherwise go to standard error, between the lines of a log.
        unsafe PQsetNoticeReceiver(connected, { _, _ in }, nil)
        if let timeout = settings.statementTimeout { try limitStatements(to: timeout) }
    }

    /// Not a start-up option, because PgBouncer refuses those.
    private func limitStatements(to timeout: Duration) throws(PostgresFailure) {
        do {
            try execute(script: "set statement_timeout = \(Int64(timeout / .milliseconds(1)))")
        } catch {
            // The server has ended what had just begun, for example because it goes down.
            throw .unreachable("\(error)")
        }
    }

    deinit {
        unsafe PQfinish(pointer)
        close(handle)
    }

    /// Ends the session from another thread: the one that waits for an answer gets none (`.lost`).
    ///
    /// Safe to call at any time, because it touches nothing but a descriptor that stays the same.
    func interrupt() {
        shutdown(handle, Int32(SHUT_RDWR))
    }

    /// How to ask the very server of this session for a sign of life, which takes 2 s at most.
    ///
    /// To be worked out by whom the connection belongs to.
    var probe: ServerProbe {
        let others = ["service", "host", "hostaddr", "port", "target_session_attrs", "connect_timeout"]
        var options = options.filter { !others.contains($0.keyword) }
        options.append(("host", unsafe String(cString: PQhost(pointer))))
        options.append(("port", unsafe String(cString: PQport(pointer))))
        options.append(("connect_timeout", "2"))
        return ServerProbe(options: options)
    }

    /// The number of the server's process for this session (`pg_stat_activity.pid`).
    public var processID: Int32 { unsafe PQbackendPID(pointer) }

    /// Whether the session can be used: it did not break, and the server has not ended it while it was idle.
    public var isUsable: Bool {
        guard !isBroken, isConnected else { return false }
        guard isIdle else { return true }
        // Bounded, though no server sends that much unasked.
        for _ in 0..<64 {
            guard Poll.readable([socket], upTo: .zero) != nil else { return true }
            // An idle session that listens receives notifications; any other receives only the reason of its end.
            guard isListening, unsafe PQconsumeInput(pointer) == 1, isConnected else { return false }
        }
        return false
    }

    /// Whether somebody else can go on with the session as if it had just begun.
    var isClean: Bool { !isBroken && isConnected && isIdle && !isListening }

    var isConnected: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

    /// Whether no transaction is open and no statement runs.
    var isIdle: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_IDLE }

    var socket: Int32 { unsafe PQsocket(pointer) }

    var lastMessage: String { unsafe String(cString: PQerrorMessage(pointer)).asOneLine }

    /// The one place where an answer of libpq's becomes a result or an error.
    ///
    /// - Parameter answer: owned by the result from here on.
    func check(takingOwnership answer: OpaquePointer?) throws(PostgresFailure) -> QueryResult {
        guard let answer = unsafe answer else {
            isBroken = true
            throw .lost(lastMessage)
        }
        let result = unsafe QueryResult(takingOwnership: answer)
        guard isConnected else { throw .lost(lastMessage) }
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            return result
        case PGRES_FATAL_ERROR:
            if let error = result.serverError { throw .refused(error) }
            // An error without a code is libpq's own, and leaves the session in the middle of something.
            isBroken = true
            throw .lost(lastMessage)
        default:
            isBroken = true
            throw .misread("the server began to copy rows, which is not supported")
        }
    }

    /// The connection options in force, as libpq has put them together: keywords and values, the password among them.
    ///
    /// For handing the same login to PostgreSQL's own programs, in a file that only they can read.
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
