internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

enum ProposalStatements {
    private static let columns = """
        p.number, p.title, p.message, p.state, p.closed_as, p.version, p.round, p.author, p.author_kind, p.token_id,
            p.issuer, p.subject, p.apply_at, p.zone, p.apply_author, p.apply_author_kind, p.apply_token_id,
            p.apply_issuer, p.apply_subject, p.apply_keys, p.missed_at, p.after_number, p.failure::text as failure,
            p.applied_revision, p.created_at, p.changed_at
        """

    /// Inserts a draft.
    static func insert(
        title: String, message: String, by author: Author, _ person: ReviewPerson?, after predecessor: Int64?
    ) -> Call {
        Call(
            insert,
            with: [.text(title), .text(message), .text(person?.issuer), .text(person?.subject), .bigint(predecessor)]
                + AuditStatements.parameters(of: author))
    }

    private static let insert = Statement(
        """
        -- name: proposals_insert
        insert into proposals as p
            (title, message, issuer, subject, after_number, author, author_kind, token_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        returning \(columns)
        """)

    static func find(_ number: Int64) -> Call { Call(find, .bigint(number)) }

    private static let find = Statement(
        """
        -- name: proposals_find
        select \(columns) from proposals p where p.number = $1
        """)

    /// Locks a proposal until the transaction ends.
    static func lock(_ number: Int64) -> Call { Call(lock, .bigint(number)) }

    private static let lock = Statement(
        """
        -- name: proposals_lock
        select \(columns) from proposals p where p.number = $1 for update
        """)

    /// The numbers of proposals, newest first.
    ///
    /// - Parameters:
    ///   - state: The stored state; nil for all.
    ///   - key: A key that an edit changes; nil for all.
    static func page(_ query: ProposalQuery) -> Call {
        Call(
            page, .bigint(query.before), .bigint(query.limit), .text(query.state), .text(query.key), .text(query.author)
        )
    }

    private static let page = Statement(
        """
        -- name: proposals_page
        select \(columns) from proposals p
        where p.number < $1 and ($3::text is null or p.state = $3)
            and ($4::text is null or exists (select from proposal_edits e where e.number = p.number and e.key = $4))
            and ($5::text is null or p.author = $5 or p.subject = $5)
        order by p.number desc limit $2
        """)

    /// The open proposals with a time, and the drafts whose time is to come, earliest first.
    static func scheduled(limit: Int64) -> Call { Call(scheduled, .bigint(limit)) }

    private static let scheduled = Statement(
        """
        -- name: proposals_scheduled
        select \(columns) from proposals p
        where p.state = 'open' and p.apply_at is not null or p.state = 'draft' and p.apply_at > clock_timestamp()
        order by p.apply_at, p.number limit $1
        """)

    /// Stores the fields of a proposal that change, and raises the version.
    static func update(_ proposal: Proposal) -> Call {
        let by = proposal.schedule?.author
        return Call(
            update, .bigint(proposal.number), .text(proposal.title), .text(proposal.message),
            .text(proposal.state.name), .text(proposal.state.reason?.rawValue), .integer(Int32(proposal.round)),
            .timestamp(proposal.schedule?.at), .text(proposal.schedule?.zone), .bigint(proposal.predecessor),
            .text(proposal.failure?.description), .bigint(proposal.appliedRevision), .timestamp(proposal.missedAt),
            .text(by?.author.name), .text(by?.author.kind.rawValue), .text(by?.author.tokenID),
            .text(by?.person?.issuer), .text(by?.person?.subject),
            // An array parameter cannot be null.
            .text(by?.keys.names.joined(separator: " ")))
    }

    private static let update = Statement(
        """
        -- name: proposals_update
        update proposals p set title = $2, message = $3, state = $4, closed_as = $5, round = $6, apply_at = $7,
            zone = $8, after_number = $9, failure = $10::jsonb, applied_revision = $11, missed_at = $12,
            apply_author = $13, apply_author_kind = $14, apply_token_id = $15, apply_issuer = $16,
            apply_subject = $17, apply_keys = string_to_array($18, ' '), version = version + 1,
            changed_at = date_trunc('milliseconds', clock_timestamp())
        where number = $1
        returning \(columns)
        """)

    static func edits(of numbers: [Int64]) -> Call { Call(edits, .bigintArray(numbers)) }

    private static let edits = Statement(
        """
        -- name: proposal_edits_read
        select number, key, path, before::text as before, after::text as after, author, token_id, issuer, subject,
            earlier_authors::text as earlier_authors, round
        from proposal_edits where number = any ($1) order by number, key, path
        """)

    static func delete(_ edits: [ProposalEdit], of number: Int64) -> Call {
        Call(deleteEdits, .bigint(number), .textArray(edits.map(\.key)), .textArray(edits.map(\.path.text)))
    }

    private static let deleteEdits = Statement(
        """
        -- name: proposal_edits_delete
        delete from proposal_edits e using unnest($2, $3) as o (key, path)
        where e.number = $1 and e.key = o.key and e.path = o.path
        """)

    static func insert(_ edits: [ProposalEdit], of number: Int64) -> Call {
        Call(
            insertEdits, .bigint(number), .textArray(edits.map(\.key)), .textArray(edits.map(\.path.text)),
            .textArray(edits.map { $0.before?.description }), .textArray(edits.map { $0.after?.description }),
            .textArray(edits.map(\.author.name)), .textArray(edits.map { $0.author.person?.issuer }),
            .textArray(edits.map { $0.author.person?.subject }), .integerArray(edits.map { Int32($0.round) }),
            .textArray(edits.map(\.author.tokenID)),
            .textArray(edits.map { JSONValue.array($0.earlierAuthors.map(\.json)).description }))
    }

    private static let insertEdits = Statement(
        """
        -- name: proposal_edits_insert
        insert into proposal_edits (number, key, path, before, after, author, issuer, subject, round, token_id,
            earlier_authors)
        select $1, e.key, e.path, e.before::jsonb, e.after::jsonb, e.author, e.issuer, e.subject, e.round, e.token_id,
            e.earlier_authors::jsonb
        from unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            as e (key, path, before, after, author, issuer, subject, round, token_id, earlier_authors)
        """)

    /// The open proposals whose time has come, earliest first, and those that nobody changed for some days. Counts the
    /// releases by a bypass that nobody acknowledged, too.
    ///
    /// - Parameter days: Nil if proposals do not expire.
    static func due(expiryDays days: Int?) -> Call { Call(due, .integer(days.map { Int32($0) })) }

    private static let due = Statement(
        """
        -- name: proposals_due
        select array(
                select p.number from proposals p
                where p.state = 'open' and (p.apply_at <= clock_timestamp() or \(isExpired))
                order by p.apply_at, p.number limit 100) as numbers,
            (select count(*) from config_releases r
                where r.bypass_reason is not null and r.acknowledged_at is null) as unreviewed,
            (select h.revision from config_head h) as revision
        """)

    /// The open proposals with an edit of a key that a release after a revision changed.
    static func touched(after revision: Int64) -> Call { Call(touched, .bigint(revision)) }

    private static let touched = Statement(
        """
        -- name: proposals_touched
        select distinct p.number
        from proposals p join proposal_edits e using (number) join config_changes c on c.key = e.key
        where p.state = 'open' and c.revision > $1
        order by p.number
        """)

    /// A proposal that waits for its time does not expire.
    private static let isExpired =
        "p.apply_at is null and p.changed_at < clock_timestamp() - make_interval(days => $1)"

    /// Selects the time of the database, and true for a proposal that nobody changed for some days.
    static func time(of number: Int64, expiryDays days: Int?) -> Call {
        Call(time, .integer(days.map { Int32($0) }), .bigint(number))
    }

    private static let time = Statement(
        """
        -- name: proposals_time
        select date_trunc('milliseconds', clock_timestamp()) as now, coalesce(\(isExpired), false) as is_expired
        from proposals p where p.number = $2
        """)

    /// Selects true if a time zone has a name. The system's own names, which browsers do not know, are no zones.
    static func isZone(_ name: String) -> Call { Call(isZone, .text(name)) }

    private static let isZone = Statement(
        """
        -- name: proposals_zone
        select exists (
            select from pg_timezone_names
            where name = $1 and name !~ '^(posix/|right/|localtime$|posixrules$|Factory$)') as is_known
        """)

    /// Selects the scopes that the author of a schedule has now; null if the author's token is not valid, or if the
    /// person is unknown or was removed.
    static func scopes(of author: Proposal.ScheduleAuthor) -> Call {
        Call(
            scopes, .text(author.author.tokenID), .text(author.person?.issuer), .text(author.person?.subject))
    }

    private static let scopes = Statement(
        """
        -- name: proposals_author_scopes
        select case
            when exists (
                select from people p where p.issuer = $2 and p.subject = $3 and p.removed_at is not null) then null
            when $1::text is null then (select p.scopes from people p where p.issuer = $2 and p.subject = $3)
            else (
                select t.scopes from api_tokens t where t.id = $1 and t.revoked_at is null
                    and (t.expires_at is null or t.expires_at > clock_timestamp()))
        end as scopes
        """)

    /// Erases the values of a key from all proposals. Pending proposals lose its edits and their time, and are closed
    /// without another edit.
    ///
    /// The caller has locked the head.
    static func purge(key: String) -> Call { Call(purge, .text(key)) }

    private static let purge = Statement(
        """
        -- name: proposals_purge
        with locked as (
            select p.number, p.state in ('draft', 'open') as is_pending,
                exists (select from proposal_edits e where e.number = p.number and e.key <> $1) as has_others
            from proposals p
            where p.number in (select e.number from proposal_edits e where e.key = $1)
                or p.failure ? 'faults' or strpos(p.failure::text, to_json($1::text)::text) > 0
            order by p.number for update
        ), deleted as (
            delete from proposal_edits e using locked l
            where e.number = l.number and e.key = $1 and l.is_pending returning e.number
        ), erased as (
            update proposal_edits e set before = null, after = null from locked l
            where e.number = l.number and e.key = $1 and not l.is_pending
        )
        update proposals p set version = p.version + 1, failure = null,
            round = p.round + case when d.number is null then 0 else 1 end,
            state = case when d.number is null or l.has_others then p.state else 'closed' end,
            closed_as = case when d.number is null or l.has_others then p.closed_as else 'purged' end,
            \(withoutTime("d.number is not null"))
            changed_at = date_trunc('milliseconds', clock_timestamp())
        from locked l left join (select distinct number from deleted) d on d.number = l.number
        where p.number = l.number
        """)

    /// Returns assignments that remove the time of a proposal under a condition.
    private static func withoutTime(_ condition: String) -> String {
        [
            "apply_at", "zone", "apply_author", "apply_author_kind", "apply_token_id", "apply_issuer", "apply_subject",
            "apply_keys", "missed_at",
        ].map { "\($0) = case when \(condition) then null else p.\($0) end," }.joined(separator: " ")
    }

    /// Selects a release by a bypass with its keys, and locks it.
    static func bypass(of revision: Int64) -> Call { Call(bypass, .bigint(revision)) }

    private static let bypass = Statement(
        """
        -- name: config_release_bypass
        select r.author, array(select c.key from config_changes c where c.revision = r.revision) as keys
        from config_releases r
        where r.revision = $1 and r.bypass_reason is not null and r.acknowledged_at is null for update
        """)

    static func acknowledge(_ revision: Int64, by author: Author) -> Call {
        Call(acknowledge, .bigint(revision), .text(author.name))
    }

    private static let acknowledge = Statement(
        """
        -- name: config_release_acknowledge
        update config_releases set acknowledged_by = $2,
            acknowledged_at = date_trunc('milliseconds', clock_timestamp())
        where revision = $1
        """)

    /// The exemption of the newest release, and its age in seconds.
    static let newestRelease = Statement(
        """
        -- name: config_release_newest
        select r.revision, r.kind, r.exemption, extract(epoch from clock_timestamp() - r.released_at)::bigint as age
        from config_releases r order by r.revision desc limit 1
        """)
}
