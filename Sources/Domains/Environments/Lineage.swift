public import AlmanacPostgreSQL

/// The SQL of an environment's lineage.
///
/// A promoted standby may lack the primary's last commits, and would assign their revisions again. The standby writes
/// its log on another timeline, so the timeline is stored beside the lineage, and each change compares the two in the
/// statement that takes the row lock. No server changes its timeline while it accepts writes, so the result holds until
/// the transaction ends, even on a connection that was opened while the server was a standby.
public enum Lineage {
    /// The SQL expression for the timeline of the server, which must not be a standby.
    private static let timeline = "left(pg_walfile_name(pg_current_wal_lsn()), 8)"

    /// The SQL expression over `config_head` for the lineage, or null if the history may have forked since.
    public static let unforked = "case when timeline = \(timeline) then lineage end"

    /// The assignments to `config_head` that begin a new lineage.
    public static let renewal = "\(renewalWithoutTimeline), \(timelineAssignment)"

    /// The same assignments for a schema without a timeline column.
    public static let renewalWithoutTimeline = "lineage = substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)"

    /// The assignment to `config_head` that extends the lineage to this server's timeline.
    public static let timelineAssignment = "timeline = \(timeline)"

    static let renewForked = Statement(
        """
        -- name: lineage_renew_forked
        update config_head set \(renewal) where timeline <> \(timeline) returning lineage
        """)

    static let renew = Statement(
        """
        -- name: lineage_renew
        update config_head set \(renewal) returning lineage
        """)

    static let announce = Statement(
        """
        -- name: lineage_announce
        select pg_notify('almanac_config', revision::text), pg_notify('almanac_tokens', '') from config_head
        """)
}

/// The error for a history that may have forked. The lineage must be renewed before any write.
public struct HistoryForked: Error, Sendable {
    public init() {}
}

extension Connection {
    /// Runs `body` in a transaction that changes config or notes, and again if the lineage first had to be renewed. The
    /// renewal is a separate transaction, so it persists even if the change is refused.
    ///
    /// - Parameter body: Must lock the row to change, and throw `HistoryForked` if `Lineage.unforked` is null there.
    public func change<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try change(opening: []) { connection, _ in try body(connection) }
    }

    /// Runs `body` likewise, after statements that share one round trip with the transaction's begin.
    public func change<Result>(
        opening calls: [Call], _ body: (Connection, [Rows]) throws -> Result
    ) throws -> Result {
        do {
            return try transaction(opening: calls, body)
        } catch is HistoryForked {
            try renewForkedLineage()
            return try transaction(opening: calls, body)
        }
    }

    /// Begins and returns a new lineage. Readers with older cursors then get the whole state.
    public func renewLineage() throws(PostgresFailure) -> String {
        let lineage = try run(Lineage.renew).single("config_head").text("lineage")
        try run(Lineage.announce)
        return lineage
    }

    /// Begins a new lineage if the history may have forked. Among concurrent callers, only one does so.
    public func renewForkedLineage() throws(PostgresFailure) {
        guard try !run(Lineage.renewForked).isEmpty else { return }
        try run(Lineage.announce)
    }
}
