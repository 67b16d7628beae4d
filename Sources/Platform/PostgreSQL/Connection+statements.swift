internal import AlmanacCLibPQ
internal import AlmanacPOSIX

/// A statement prepared by the server.
struct PreparedStatement {
    let sql: String
    let types: [TypeOID]
    /// True if the server can no longer run the prepared statement.
    var isStale = false

    func isSame(as statement: Statement, _ types: [TypeOID]) -> Bool {
        !isStale && self.types == types && sql.hasSameBytes(as: statement.sql)
    }
}

extension Connection {
    /// Runs a statement, which is prepared before its first run on this connection.
    @discardableResult
    public func run(_ statement: Statement, _ parameters: Parameter...) throws(PostgresFailure) -> Rows {
        try run(statement, with: parameters)
    }

    @discardableResult public func run(_ call: Call) throws(PostgresFailure) -> Rows {
        try run(call.statement, with: call.parameters)
    }

    @discardableResult
    public func run(_ statement: Statement, with parameters: [Parameter]) throws(PostgresFailure) -> Rows {
        guard !isBroken else { throw .lost("an earlier failure left the connection unusable") }
        precondition(!hasCommitted, "a statement after the last of its transaction")
        let encoded = try EncodedParameters(parameters)
        let wasPrepared = try prepare(statement, encoded.types)
        do {
            return try runPrepared(statement, encoded)
        } catch {
            guard wasPrepared, error.meansStaleStatement else { throw error }
            prepared[statement.name]?.isStale = true
            // The error has ended an open transaction; the next run prepares the statement again.
            guard isIdle else { throw error }
        }
        _ = try prepare(statement, encoded.types)
        return try runPrepared(statement, encoded)
    }

    /// Runs a script in the simple protocol, up to the first failure. Without `begin`, it is one transaction.
    public func execute(script: String) throws(PostgresFailure) { _ = try command(script) }

    /// - Returns: The result of the script's last statement.
    func command(_ script: String) throws(PostgresFailure) -> QueryResult {
        guard !isBroken else { throw .lost("an earlier failure left the connection unusable") }
        // A C string would end at this byte.
        guard !script.utf8.contains(0) else {
            throw .refused(ServerError(state: .characterNotInRepertoire, message: "the script contains a zero byte"))
        }
        return try unsafe check(takingOwnership: DatabaseTime.counting { unsafe PQexec(pointer, script) })
    }

    /// - Returns: True if the statement was already prepared.
    func prepare(_ statement: Statement, _ types: [TypeOID]) throws(PostgresFailure) -> Bool {
        if let known = prepared[statement.name] {
            if known.isSame(as: statement, types) { return true }
            prepared[statement.name]?.isStale = true
            try deallocate(statement.name)
        }
        let oids = types.map { Oid($0.rawValue) }
        let answer = unsafe DatabaseTime.counting {
            unsafe PQprepare(pointer, statement.name, statement.sql, Int32(clamping: oids.count), oids)
        }
        _ = try unsafe check(takingOwnership: answer)
        prepared[statement.name] = PreparedStatement(sql: statement.sql, types: types)
        return false
    }

    private func deallocate(_ name: String) throws(PostgresFailure) {
        do {
            _ = try command("deallocate \"\(name)\"")
        } catch  where error.state == .invalidSQLStatementName {
            // The statement no longer exists. In a transaction, the next statement reports that this error ended it.
        }
        prepared[name] = nil
    }

    private func runPrepared(_ statement: Statement, _ parameters: EncodedParameters) throws(PostgresFailure) -> Rows {
        let answer = unsafe parameters.withPointers { values, lengths, formats in
            unsafe DatabaseTime.counting {
                unsafe PQexecPrepared(pointer, statement.name, parameters.count, values, lengths, formats, 1)
            }
        }
        return Rows(result: try unsafe check(takingOwnership: answer))
    }
}

extension PostgresFailure {
    /// True for "cached plan must not change result type" after a migration, and for a deallocated statement.
    var meansStaleStatement: Bool { state == .featureNotSupported || state == .invalidSQLStatementName }
}
