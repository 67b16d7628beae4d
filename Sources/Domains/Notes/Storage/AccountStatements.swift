internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The SQL of accounts.
enum AccountStatements {
    private static let byUser = Statement(
        """
        -- name: account_find
        select \(Account.columns), (select lineage from config_head) as lineage
        from accounts a where a.issuer = $1 and a.subject = $2
        """)

    /// Until the transaction ends no other action of the account can happen.
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

    /// Finds a user's account: no row when they have never changed anything.
    static func find(_ user: VerifiedUser) -> Call { Call(byUser, .text(user.issuer), .text(user.subject)) }

    /// Locks a user's account for the rest of the transaction: no row when there is none.
    static func lock(_ user: VerifiedUser) -> Call { Call(locked, .text(user.issuer), .text(user.subject)) }

    /// Locks a user's account for the rest of the transaction, and makes it when there is none.
    static func lockOrMake(_ user: VerifiedUser, on connection: Connection) throws -> Account {
        while true {
            if let row = try connection.run(lock(user)).first { return try Account(row) }
            // Somebody else's row may be erased again before it is locked here; then this makes one after all.
            try connection.run(insert, .text(user.issuer), .text(user.subject))
        }
    }

    /// The cursor of an account that is not there yet.
    static func emptyCursor(on connection: Connection) throws(PostgresFailure) -> Cursor {
        let lineage = try connection.run(databaseLineage).single("config_head").text("lineage")
        return Cursor(revision: 0, lineage: lineage)
    }

    /// Removes everything that is kept of an account, with the account locked.
    static func erase(_ account: Account, on connection: Connection) throws(PostgresFailure) {
        for statement in [eraseActions, eraseHistory, eraseNotes, eraseAccount] {
            try connection.run(statement, .bigint(account.id))
        }
    }
}

extension Account {
    /// The columns that an account is made of besides the database's lineage, where the table's alias is a.
    fileprivate static let columns = """
        a.id, a.word, a.created_at, a.revision, a.updated_at, a.oldest_revision, a.notes, a.bytes,
        a.history_bytes
        """

    /// - Throws: `HistoryForked` where a row that was locked comes without a lineage.
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
