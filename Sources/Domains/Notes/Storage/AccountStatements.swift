internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

enum AccountStatements {
    private static let byUser = Statement(
        """
        -- name: account_find
        select \(Account.columns), (select lineage from config_head) as lineage
        from accounts a where a.issuer = $1 and a.subject = $2
        """)

    /// Blocks every other action of the account until the transaction ends.
    private static let locked = Statement(
        """
        -- name: account_lock
        select \(Account.columns), (select \(Lineage.unforked) from config_head) as lineage
        from accounts a where a.issuer = $1 and a.subject = $2 for update of a
        """)

    private static let insert = Statement(
        """
        -- name: account_insert
        insert into accounts (issuer, subject) values ($1, $2) on conflict do nothing
        """)

    private static let databaseLineage = Statement(
        """
        -- name: account_database_lineage
        select lineage from config_head
        """)

    private static let eraseActions = Statement(
        """
        -- name: account_erase_actions
        delete from note_actions where account_id = $1
        """)

    private static let eraseHistory = Statement(
        """
        -- name: account_erase_history
        delete from note_revisions where account_id = $1
        """)

    private static let eraseNotes = Statement(
        """
        -- name: account_erase_notes
        delete from notes where account_id = $1
        """)

    private static let eraseAccount = Statement(
        """
        -- name: account_erase
        delete from accounts where id = $1
        """)

    /// Finds a user's account: no row if the user has never changed anything.
    static func find(_ user: VerifiedUser) -> Call { Call(byUser, .text(user.issuer), .text(user.subject)) }

    /// Locks a user's account until the transaction ends: no row if there is none.
    static func lock(_ user: VerifiedUser) -> Call { Call(locked, .text(user.issuer), .text(user.subject)) }

    /// Locks a user's account until the transaction ends, and creates it if there is none.
    static func lockOrMake(_ user: VerifiedUser, on connection: Connection) throws -> Account {
        while true {
            if let row = try connection.run(lock(user)).first { return try Account(row) }
            // A concurrent transaction may insert the row and erase it before it is locked here; then retry.
            try connection.run(insert, .text(user.issuer), .text(user.subject))
        }
    }

    /// Returns the cursor of an account that doesn't exist yet.
    static func emptyCursor(on connection: Connection) throws(PostgresFailure) -> Cursor {
        let lineage = try connection.run(databaseLineage).single("config_head").text("lineage")
        return Cursor(revision: 0, lineage: lineage)
    }

    /// Deletes an account and its rows. The account must be locked.
    static func erase(_ account: Account, on connection: Connection) throws(PostgresFailure) {
        for statement in [eraseActions, eraseHistory, eraseNotes, eraseAccount] {
            try connection.run(statement, .bigint(account.id))
        }
    }
}

extension Account {
    /// The columns of an account in a query that names the table `a`; the database's lineage is selected beside them.
    fileprivate static let columns = """
        a.id, a.word, a.created_at, a.revision, a.updated_at, a.oldest_revision, a.notes, a.bytes,
        a.history_bytes
        """

    /// - Throws: `HistoryForked` if a locked row comes without a lineage.
    init(_ row: Row) throws {
        guard let database = try row.optionalText("lineage") else { throw HistoryForked() }
        id = try row.bigint("id")
        lineage = database + (try row.text("word"))
        createdAt = try row.timestamp("created_at")
        updatedAt = try row.timestamp("updated_at")
        revision = try row.bigint("revision")
        oldestRevision = try row.bigint("oldest_revision")
        notes = try row.integer("notes")
        bytes = try row.bigint("bytes")
        historyBytes = try row.optionalBigint("history_bytes")
    }
}
