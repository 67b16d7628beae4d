internal import AlmanacPostgreSQL

extension ConfigService {
    /// Lets go of a little of the history that is older than 180 days.
    ///
    /// Any number of workers may do so at once. Snapshots learn of it like of any other change of the head.
    ///
    /// - Returns: whether there may be more.
    public func trimHistory() throws -> Bool {
        try pool.withConnection { try $0.run(HistoryStatements.trim).single("the history").bigint("rows") } > 0
    }
}
