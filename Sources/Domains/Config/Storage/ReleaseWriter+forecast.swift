internal import AlmanacEnvironments
internal import AlmanacPostgreSQL

extension ReleaseWriter {
    /// Forecasts the release of a write.
    func forecast(_ intent: Intent, _ write: ConfigWrite) throws -> Forecast {
        try check(write.keys, intent)
        return try forecast(intent, keys: write.keys) { current, head, _ in try write.edits(of: current, at: head) }
    }

    /// Forecasts the restoration of a past revision.
    func forecastRestore(_ revision: Int64, _ intent: Intent) throws -> Forecast {
        try forecast(intent, keys: nil, edits: Self.restoring(revision))
    }

    /// Plans a release in a read transaction, which blocks no writer. The changes are sorted by key.
    func forecast(_ intent: Intent, keys: [String]?, edits: Edits) throws -> Forecast {
        try pool.withConnection { connection in
            try connection.view(opening: [Call(HeadStatements.read), Call(MajorStatements.all)]) { connection, rows in
                let head = try Head(rows[0].single("config_head"))
                try check(intent, at: head, on: connection)
                let inOrder: Edits = {
                    try edits($0, $1, $2).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                }
                let (plan, flags) = try plan(intent, keys, inOrder, at: head, on: connection)
                var forecast = try Forecast(plan, at: head, flags: flags, majors: try rows[1].map { try Major($0) })
                do { _ = try exemption(of: plan, intent, on: connection) } catch ProposalRefusal.approvalRequired(
                    let unmet)
                { forecast.unmet = unmet }
                return forecast
            }
        }
    }
}
