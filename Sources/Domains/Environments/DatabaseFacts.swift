public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// The SQL of facts that the command line stores about an environment's database as a whole.
public enum DatabaseFacts {
    /// The only parameter is the environment's name.
    static let claim = Statement(
        """
        -- name: upkeep_claim
        update upkeep set environment = $1 where environment is null
        """)

    /// The only parameter is the time of the backup's content.
    static let recordBackup = Statement(
        """
        -- name: upkeep_record_backup
        update upkeep set backed_up_at = greatest(backed_up_at, $1)
        """)

    static let newestBackup = Statement(
        """
        -- name: upkeep_newest_backup
        select coalesce(backed_up_at, watched_since) as since from upkeep
        """)
}

extension Connection {
    /// Stores the name of the database's environment, unless one is stored. Requires the owner's login.
    public func claimDatabase(for environment: EnvironmentName) throws(PostgresFailure) {
        try run(DatabaseFacts.claim, .text(environment.text))
    }

    /// Stores that a backup of the database's state at a moment exists. Requires the owner's login.
    public func recordBackup(of moment: Timestamp) throws(PostgresFailure) {
        try run(DatabaseFacts.recordBackup, .timestamp(moment))
    }

    /// Returns the time of the newest backup's content; without a backup, the time since which one is missing.
    public func newestBackup() throws(PostgresFailure) -> Timestamp {
        try run(DatabaseFacts.newestBackup).single("upkeep").timestamp("since")
    }
}
