public import AlmanacPostgreSQL

/// The SQL of an environment's lineage.
///
/// A standby that is promoted may lack the primary's last commits, and would hand out their revisions once more. But it
/// counts its log on another timeline, which is why that is stored beside the lineage: whoever is about to change
/// something compares the two in the statement that takes the row lock. No server changes its timeline while it takes
/// writes, so what that statement has seen holds until its transaction ends, also on a connection that was made while
/// the server was a standby.
public enum Lineage {
    /// An expression: the timeline of the server that a statement runs on, which must not be a standby.
    private static let timeline = "left(pg_walfile_name(pg_current_wal_lsn()), 8)"

    /// An expression over `config_head`: the lineage, or null where the history may have forked since it was made.
    public static let unforked = "case when timeline = \(timeline) then lineage end"

    /// Assignments to `config_head` that begin another lineage.
    public static let renewal = "\(renewalAlone), \(keeping)"

    /// The same in a schema that has no timeline yet.
    public static let renewalAlone = "lineage = substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)"

    /// An assignment to `config_head` by which the lineage holds on this server's timeline too.
    public static let keeping = "timeline = \(timeline)"

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

/// The history may have forked since the lineage was made, so nothing may be written before that is renewed.
public struct HistoryForked: Error, Sendable {
    public init() {}
}

extension Connection {
    /// Runs `body` in a transaction that changes config or notes: again, when the lineage had to be renewed first.
    ///
    /// The renewal is a transaction of its own, so that it stands even if the change is refused.
    ///
    /// - Parameter body: locks the row that it is about to change, and throws `HistoryForked` where that statement
    ///   finds no lineage (`Lineage.unforked`).
    public func change<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try change(opening: []) { connection, _ in try body(connection) }
    }

    /// The same with the first statements already run, in one round trip with the transaction's begin.
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

    /// Begins another lineage, so that cursors from before are answered with the whole state.
    ///
    /// - Returns: the new lineage.
    public func renewLineage() throws(PostgresFailure) -> String {
        let lineage = try run(Lineage.renew).single("config_head").text("lineage")
        try run(Lineage.announce)
        return lineage
    }

    /// Begins another lineage if the history may have forked, for config and notes at once; of several who do so at the
    /// same time one does it.
    public func renewForkedLineage() throws(PostgresFailure) {
        guard try !run(Lineage.renewForked).isEmpty else { return }
        try run(Lineage.announce)
    }
}
