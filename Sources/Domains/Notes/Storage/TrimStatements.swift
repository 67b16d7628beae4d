internal import AlmanacPostgreSQL

/// The SQL that deletes rows older than 180 days from a range of table pages, without an index and with short locks.
enum TrimStatements {
    private static let actions = Statement(
        """
        -- name: notes_trim_actions
        delete from note_actions
        where ctid >= $1::tid and ctid < $2::tid and recorded_at < clock_timestamp() - interval '180 days'
        """)

    /// The condition for history rows that contain neither text nor tags. If consecutive texts were thinned out, the
    /// first row stays, because it marks the revision from which the text is unknown. The same holds for tags.
    private static let isTrimmed = """
        r.ctid >= $1::tid and r.ctid < $2::tid and r.recorded_at < clock_timestamp() - interval '180 days'
            and r.title is null and r.body is null and r.tags is null
            and (not r.title_thinned or (
                select p.title_thinned from note_revisions p
                where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                    and (p.title is not null or p.title_thinned)
                order by p.revision desc limit 1))
            and (not r.body_thinned or (
                select p.body_thinned from note_revisions p
                where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                    and (p.body is not null or p.body_thinned)
                order by p.revision desc limit 1))
            and (not r.tags_thinned or (
                select p.tags_thinned from note_revisions p
                where p.account_id = r.account_id and p.note_id = r.note_id and p.revision < r.revision
                    and (p.tags is not null or p.tags_thinned)
                order by p.revision desc limit 1))
        """

    private static let accounts = Statement(
        """
        -- name: notes_trim_accounts
        select id from accounts
        where id in (select r.account_id from note_revisions r where \(isTrimmed)) order by id for update skip locked
        """)

    private static let revisions = Statement(
        """
        -- name: notes_trim_revisions
        with gone as (
            delete from note_revisions r where \(isTrimmed) and r.account_id = any ($3)
            returning r.account_id, r.revision
        )
        update accounts a set trimmed_revision = greatest(a.trimmed_revision, g.revision)
        from (select account_id, max(revision) as revision from gone group by account_id) g where a.id = g.account_id
        """)

    private static let sizes = Statement(
        """
        -- name: notes_trim_sizes
        select pg_relation_size('note_actions') / current_setting('block_size')::bigint as actions,
            pg_relation_size('note_revisions') / current_setting('block_size')::bigint as revisions
        """)

    /// Reads the number of pages of each table.
    static let pages = sizes

    /// Deletes action ids that no client will send again.
    static func trimActions(_ pages: Range<Int64>) -> Call { Call(actions, start(pages), end(pages)) }

    /// Locks the accounts with rows to trim, except those that are locked by another transaction.
    static func lockAccounts(_ pages: Range<Int64>) -> Call { Call(accounts, start(pages), end(pages)) }

    /// Deletes old history rows of locked accounts.
    static func trimRevisions(_ pages: Range<Int64>, of accounts: [Int64]) -> Call {
        Call(revisions, start(pages), end(pages), .bigintArray(accounts.map(\.self)))
    }

    private static func start(_ pages: Range<Int64>) -> Parameter { .text("(\(pages.lowerBound),0)") }

    private static func end(_ pages: Range<Int64>) -> Parameter { .text("(\(pages.upperBound),0)") }
}
