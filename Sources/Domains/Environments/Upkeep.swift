public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// The SQL of what the command line notes about an environment's database as a whole.
public enum Upkeep {
    /// Expects the environment's name.
    static let claim = Statement(
        """
        -- name: upkeep_claim
        update upkeep set environment = $1 where environment is null
        """)

    /// Expects the moment that the backup holds.
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
    /// Notes which environment the database is of, unless that is known; for the owner.
    public func claimDatabase(for environment: EnvironmentName) throws(PostgresFailure) {
        try run(Upkeep.claim, .text(environment.text))
    }

    /// Notes that there is a backup of what the database was at a moment; for the owner.
    public func recordBackup(of moment: Timestamp) throws(PostgresFailure) {
        try run(Upkeep.recordBackup, .timestamp(moment))
    }

    /// The moment that the newest backup holds; where there is none, since when one has been missing.
    public func newestBackup() throws(PostgresFailure) -> Timestamp {
        try run(Upkeep.newestBackup).single("upkeep").timestamp("since")
    }
}
