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

    /// Reads the quotas in use; each null parameter stands for every issuer or subject.
    private static let usage = Statement(
        """
        -- name: account_usage
        select issuer, subject, created_at, updated_at, notes, bytes, history_bytes from accounts
        where ($1::text is null or issuer = $1) and ($2::text is null or subject = $2) order by issuer, subject
        """)

    private static let announce = Statement(
        """
        -- name: account_announce
        select pg_notify($1, concat_ws(' ', $2::bigint, $3::bigint))
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

    static func usage(issuer: String?, subject: String?) -> Call { Call(usage, .text(issuer), .text(subject)) }

    /// Announces an account's revision after its commit. An erased account is announced with the next one.
    static func announce(_ accountID: Int64, revision: Int64, on channel: String) -> Call {
        Call(announce, .text(channel), .bigint(accountID), .bigint(revision))
    }

    /// Deletes an account and its rows. The account must be locked.
    static func erase(_ account: Account, on connection: Connection) throws(PostgresFailure) {
        try connection.run(AttachmentStatements.erasePieces(of: account))
        for statement in [eraseActions, eraseHistory, eraseNotes, eraseAccount] {
            try connection.run(statement, .bigint(account.id))
        }
    }
}

extension Connection {
    /// Reads one snapshot of a user's notes.
    ///
    /// - Parameter body: receives a reader, nil for a user who has never changed anything, and the snapshot's cursor.
    func read<Result>(for user: VerifiedUser, _ body: (NotesReader?, Cursor) throws -> Result) throws -> Result {
        try view(opening: [AccountStatements.find(user)]) { connection, rows in
            guard let account = try rows[0].first.map(Account.init) else {
                return try body(nil, try AccountStatements.emptyCursor(on: connection))
            }
            return try body(NotesReader(account, on: connection), account.cursor)
        }
    }

    /// Erases a user's stored data and sessions in one transaction, with a line in the audit log.
    ///
    /// - Parameter author: the operator who erases the data; nil for the user.
    /// - Returns: the erased account; nil if the user had none.
    func erase(_ user: VerifiedUser, by author: Author?) throws -> Account? {
        try change(opening: [AccountStatements.lock(user)]) { connection, rows in
            let account = try rows[0].first.map(Account.init)
            try connection.run(SessionErasure.call(for: user))
            if let account {
                try AccountStatements.erase(account, on: connection)
                // The entry names the account by the suffix of its lineage, because the user's name is erased.
                let word = account.lineageSuffix
                try connection.run(
                    AuditStatements.record(.accountErase, by: author ?? Author(word, .user), subject: word))
            }
            return account
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
