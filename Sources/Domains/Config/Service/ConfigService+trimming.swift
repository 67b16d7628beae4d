internal import AlmanacPostgreSQL

extension ConfigService {
    /// Deletes a batch of the history that is older than 180 days.
    ///
    /// Any number of workers may call this at once. Snapshots notice a trimmed history by the changed head.
    ///
    /// - Returns: `true` if more history may be due for deletion.
    public func trimHistory() throws -> Bool {
        try pool.withConnection { try $0.run(HistoryStatements.trim).single("the history").bigint("rows") } > 0
    }
}
