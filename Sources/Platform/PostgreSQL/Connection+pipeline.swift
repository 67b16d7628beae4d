internal import AlmanacCLibPQ

extension Connection {
    /// Runs statements one after another in a single round trip ("Pipeline Mode" in libpq's manual). Returns the rows
    /// of each statement. Preparing a statement takes an additional round trip per connection.
    ///
    /// - Throws: The first failure, which prevents the statements after it.
    public func run(together calls: [Call]) throws(PostgresFailure) -> [Rows] {
        guard !isBroken else { throw .lost("an earlier failure left the connection unusable") }
        precondition(!hasCommitted, "a statement after the last of its transaction")
        var parameters: [EncodedParameters] = []
        for call in calls {
            let encoded = try EncodedParameters(call.parameters)
            _ = try prepare(call.statement, encoded.types)
            parameters.append(encoded)
        }
        do {
            return try DatabaseTime.counting { () throws(PostgresFailure) in
                try send(calls, parameters)
                return try receive(calls.count)
            }
        } catch {
            if error.meansStaleStatement {
                for call in calls { prepared[call.statement.name]?.isStale = true }
            }
            throw error
        }
    }

    private func send(_ calls: [Call], _ parameters: [EncodedParameters]) throws(PostgresFailure) {
        var isSent = unsafe PQenterPipelineMode(pointer) == 1
        for (call, parameters) in zip(calls, parameters) where isSent {
            isSent = unsafe parameters.withPointers { values, lengths, formats in
                unsafe PQsendQueryPrepared(
                    pointer, call.statement.name, parameters.count, values, lengths, formats, 1) == 1
            }
        }
        guard isSent, unsafe PQpipelineSync(pointer) == 1 else {
            isBroken = true
            throw .lost(lastMessage)
        }
    }

    private func receive(_ count: Int) throws(PostgresFailure) -> [Rows] {
        var rows: [Rows] = []
        var failure: PostgresFailure?
        for _ in 0..<count where !isBroken {
            let answer = unsafe PQgetResult(pointer)
            if failure == nil {
                do throws(PostgresFailure) {
                    rows.append(Rows(result: try unsafe check(takingOwnership: answer)))
                } catch {
                    failure = error
                }
            } else {
                // This result only reports that the server skipped the statement.
                unsafe PQclear(answer)
            }
            // A null result ends the results of each statement.
            while !isBroken, let more = unsafe PQgetResult(pointer) { unsafe PQclear(more) }
        }
        guard !isBroken, isAtEndOfPipeline, unsafe PQexitPipelineMode(pointer) == 1 else {
            isBroken = true
            throw failure ?? .lost(lastMessage)
        }
        if let failure { throw failure }
        return rows
    }

    /// True if the next result is the sync mark at the end of the pipeline. Consumes the result.
    private var isAtEndOfPipeline: Bool {
        let mark = unsafe PQgetResult(pointer)
        defer { unsafe PQclear(mark) }
        return unsafe PQresultStatus(mark) == PGRES_PIPELINE_SYNC
    }
}
