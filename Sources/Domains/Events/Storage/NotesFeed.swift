internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The newest state of an account's history.
struct AccountHead: Sendable, Equatable {
    let id: Int64
    let lineage: String
    let revision: Int64
    /// The oldest revision from which all later changes are stored.
    let oldestRevision: Int64

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }
}

extension AccountHead {
    /// - Parameter database: The database's lineage, which is the prefix of the account's lineage.
    init(_ row: Row, database: String) throws(PostgresFailure) {
        id = try row.bigint("id")
        lineage = database + (try row.text("word"))
        revision = try row.bigint("revision")
        oldestRevision = try row.bigint("oldest_revision")
    }
}

/// The queries for the actions on accounts' notes.
enum NotesFeed {
    /// The maximum number of events per read.
    static let limit = 100

    /// The oldest revision from which all later actions are in the history.
    private static let oldest = "greatest(a.oldest_revision, a.trimmed_revision) as oldest_revision"

    private static let byID = Statement(
        """
        -- name: events_account
        select id, word, revision, \(oldest) from accounts a where id = $1
        """)

    private static let byUser = Statement(
        """
        -- name: events_account_of_user
        select id, word, revision, \(oldest) from accounts a where issuer = $1 and subject = $2
        """)

    /// The actions after a revision. Long or thinned-out texts are omitted together with the texts before them.
    private static let changes = Statement(
        """
        -- name: events_note_changes
        select r.note_id, r.revision, r.action, r.action_id,
            (octet_length(r.body) > $4 or r.body is not null and octet_length(o.body) > $4) is true
                or r.title_thinned or r.body_thinned
                or r.title is not null and ot.title_thinned is true or r.body is not null and o.body_thinned is true
                as left_out,
            r.title, case when octet_length(r.body) <= $4 then r.body end as body,
            ot.title as old_title,
            case when r.body is not null and octet_length(o.body) <= $4 then o.body end as old_body,
            greatest(ot.revision, o.revision) as base,
            r.action = 'restoreNote' or r.action = 'updateNote' and s.action is not distinct from 'deleteNote'
                and (r.title is not null or r.body is not null or r.title_thinned or r.body_thinned) as restored,
            r.action = 'updateNote' and s.action is not distinct from 'deleteNote' as deleted_before,
            case when og.tags_thinned is true
                    or array(select jsonb_object_keys(r.tags))
                        <> array(select jsonb_object_keys(coalesce(og.tags, '{}')))
                then array(select k from jsonb_object_keys(r.tags) k order by k collate "C") end as tags,
            case when og.tags_thinned is true or r.pinned <> coalesce(og.pinned, false) then r.pinned end as pinned
        from note_revisions r
        left join lateral (
            select p.action from note_revisions p
            where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                and p.action <> 'moveNote'
                and (p.action <> 'updateNote' or p.title is not null or p.body is not null
                    or p.title_thinned or p.body_thinned)
            order by p.revision desc limit 1) s on true
        left join lateral (
            select p.title, p.title_thinned, p.revision from note_revisions p
            where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                and (p.title is not null or p.title_thinned)
            order by p.revision desc limit 1) ot on r.title is not null or r.body is not null
        left join lateral (
            select p.body, p.body_thinned, p.revision from note_revisions p
            where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                and (p.body is not null or p.body_thinned)
            order by p.revision desc limit 1) o on r.title is not null or r.body is not null
        left join lateral (
            select p.tags, p.pinned, p.tags_thinned from note_revisions p
            where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                and (p.tags is not null or p.tags_thinned)
            order by p.revision desc limit 1) og on r.tags is not null
        where r.account_id = $1 and r.revision > $2
        order by r.revision limit $3
        """)

    /// The attachments that were stored or removed after a revision.
    private static let attachments = Statement(
        """
        -- name: events_attachment_changes
        select id, revision, removed_at is not null as removed from attachments
        where account_id = $1 and revision > $2 order by revision limit $3
        """)

    private static let changedAccounts = Statement(
        """
        -- name: events_accounts_moved
        select w.id as watched, a.revision
        from unnest($1, $2) as w (id, revision) left join accounts a on a.id = w.id
        where a.revision is distinct from w.revision
        """)

    private static let accountsOfUsers = Statement(
        """
        -- name: events_accounts_found
        select a.id, a.issuer, a.subject, a.word, a.revision, \(oldest)
        from unnest($1, $2) as u (issuer, subject) join accounts a on a.issuer = u.issuer and a.subject = u.subject
        """)

    /// Returns a user's account, or nil if the user has never changed anything.
    static func account(of user: VerifiedUser, database: String, on connection: Connection) throws -> AccountHead? {
        guard let row = try connection.run(byUser, .text(user.issuer), .text(user.subject)).first else { return nil }
        return try AccountHead(row, database: database)
    }

    /// Returns the events after a revision, oldest first, and the account's head, or nil for an erased account.
    static func read(
        account id: Int64, after revision: Int64, on connection: Connection
    ) throws -> (account: AccountHead?, events: [(revision: Int64, message: Message)]) {
        try connection.view { connection in
            let head = try ConfigFeed.head(on: connection)
            guard let row = try connection.run(byID, .bigint(id)).first else { return (nil, []) }
            let rows = try connection.run(
                changes, .bigint(id), .bigint(revision), .integer(Int32(limit)),
                .integer(Int32(NoteChange.maxTextBytes)))
            let files = try connection.run(attachments, .bigint(id), .bigint(revision), .integer(Int32(limit)))
            let events = try rows.map { row in
                let change = try NoteChange(row)
                return (revision: change.revision, message: change.message)
            }
            let fileEvents = try files.map { row in
                let revision = try row.bigint("revision")
                let message = Message.attachment(
                    try row.text("id"), revision: revision, isRemoved: try row.boolean("removed"))
                return (revision: revision, message: message)
            }
            let first = (events + fileEvents).sorted { $0.revision < $1.revision }.prefix(limit)
            return (try AccountHead(row, database: head.lineage), Array(first))
        }
    }

    /// Returns the accounts that are no longer at the given revision; the revision of an erased account is nil.
    static func changedAccounts(
        _ accounts: [Int64: Int64], on connection: Connection
    ) throws -> [(id: Int64, revision: Int64?)] {
        if accounts.isEmpty { return [] }
        return try connection.run(
            changedAccounts, .bigintArray(accounts.map(\.key)), .bigintArray(accounts.map(\.value))
        ).map { (try $0.bigint("watched"), try $0.optionalBigint("revision")) }
    }

    /// Returns the accounts that some users have now.
    static func accountsOfUsers(
        _ users: [VerifiedUser], database: String, on connection: Connection
    ) throws -> [(user: VerifiedUser, account: AccountHead)] {
        if users.isEmpty { return [] }
        return try connection.run(accountsOfUsers, .textArray(users.map(\.issuer)), .textArray(users.map(\.subject)))
            .map { row in
                let user = VerifiedUser(issuer: try row.text("issuer"), subject: try row.text("subject"))
                return (user, try AccountHead(row, database: database))
            }
    }
}

extension NoteChange {
    init(_ row: Row) throws(PostgresFailure) {
        noteID = try row.text("note_id")
        revision = try row.bigint("revision")
        action = try row.text("action")
        actionID = try row.optionalText("action_id")
        title = try Edit(old: row.optionalText("old_title"), new: row.optionalText("title"))
        body = try Edit(old: row.optionalText("old_body"), new: row.optionalText("body"))
        tags = try row.optionalTextArray("tags")
        isPinned = try row.optionalBoolean("pinned")
        base = try row.optionalBigint("base")
        isRestored = try row.boolean("restored")
        isDeleted = try row.boolean("deleted_before") && !isRestored
        omitsText = try row.boolean("left_out")
    }
}
