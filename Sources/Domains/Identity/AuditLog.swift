internal import AlmanacHTTP
internal import AlmanacJSON
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// The actions that this program writes to the audit log. Releases and tokens are logged by their own SQL statements.
public enum AuditedAction: String, Sendable {
    case accountErase = "account.erase"
    case accountExport = "account.export"
    case environmentAdd = "environment.add"
    case environmentRemove = "environment.remove"
    case lineageRenew = "lineage.renew"
    case proposalCreate = "proposal.create"
    case proposalChange = "proposal.change"
    case proposalSubmit = "proposal.submit"
    case proposalRecall = "proposal.recall"
    case proposalWithdraw = "proposal.withdraw"
    case proposalReview = "proposal.review"
    case proposalRebase = "proposal.rebase"
    case proposalApply = "proposal.apply"
    case proposalBypass = "proposal.bypass"
    case proposalFail = "proposal.fail"
    case proposalExpire = "proposal.expire"
    case releaseAcknowledge = "release.acknowledge"
    case hookCreate = "hook.create"
    case hookChange = "hook.change"
    case hookDelete = "hook.delete"
    case hookEnable = "hook.enable"
    case hookRotate = "hook.rotate"
    case hookTest = "hook.test"
    case hookReplay = "hook.replay"
}

/// A line of the audit log: an action, its author and its time.
///
/// The line contains no secret, no text of a note, no search text, and no name of a user whose account was erased.
public struct AuditRecord: Sendable {
    /// The sequence number of the line, which only grows.
    public let id: Int64
    public let recordedAt: Timestamp
    /// The name of the action: `token.create`, `config.restore`, …
    public let action: String
    public let author: Author
    /// The object of the action: a token's id, a key, a major, a revision; may be empty.
    public let subject: String
    /// The present name of the person whom the action is about; nil for other actions, and if none is known.
    let subjectName: String?
    /// The details as a JSON object.
    let details: [UInt8]

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.bigint("id")
        recordedAt = try row.timestamp("recorded_at")
        action = try row.text("action")
        author = Author(
            try row.text("author"), Author.Kind(rawValue: try row.text("author_kind")) ?? .token,
            tokenID: try row.optionalText("token_id"))
        subject = try row.text("subject")
        subjectName = try row.optionalText("subject_name")
        details = try row.bytes("details")
    }

    /// - Parameter authorName: the name of the person behind the author; nil if none is known.
    func json(authorName: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("id", id)
            writer.member("recorded_at", "\(recordedAt)")
            writer.member("action", action)
            writer.member("author", author.name)
            writer.member("author_name", value: authorName.map { .string($0) } ?? .null)
            writer.member("author_kind", author.kind.rawValue)
            if let token = author.tokenID { writer.member("token_id", token) }
            writer.member("subject", subject)
            writer.member("subject_name", value: subjectName.map { .string($0) } ?? .null)
            writer.member("details", raw: details)
        }
    }
}

public enum AuditStatements {
    /// The columns of the author, for a domain's statement that writes the line in the same transaction as its change.
    public static let authorColumns = "author, author_kind, token_id"

    /// Returns the values of `authorColumns`.
    public static func parameters(of author: Author) -> [Parameter] {
        [.text(author.name), .text(author.kind.rawValue), .text(author.tokenID)]
    }

    /// Writes a line. Run it in the transaction of the action.
    public static func record(_ action: AuditedAction, by author: Author, subject: String = "") -> Call {
        Call(record, with: [.text(action.rawValue), .text(subject)] + parameters(of: author))
    }

    private static let record = Statement(
        """
        -- name: audit_record
        insert into audit_log (action, subject, \(authorColumns)) values ($1, $2, $3, $4, $5)
        """)

    /// Reads a page of the log, newest first.
    ///
    /// - Parameter action: returns only lines of this action; nil returns all except the purges of notes, which are
    ///   written for restores.
    static func page(_ query: HistoryQuery, action: String?) -> Call {
        Call(
            page, .bigint(query.before), .bigint(query.limit), .text(query.author), .text(action),
            .timestamp(query.since), .timestamp(query.until))
    }

    private static let page = Statement(
        """
        -- name: audit_page
        select id, recorded_at, action, subject, details::text as details, \(authorColumns), (
            select p.name from people p
            where p.id = case when action like 'person.%' then audit_log.subject else details ->> 'person' end
        ) as subject_name
        from audit_log
        where id < $1 and ($3::text is null or author = $3)
            and case when $4::text is null then action <> 'note.purge' else action = $4 end
            and ($5::timestamptz is null or recorded_at >= $5) and ($6::timestamptz is null or recorded_at < $6)
        order by id desc limit $2
        """)
}
