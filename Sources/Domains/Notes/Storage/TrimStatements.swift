internal import AlmanacPostgreSQL

/// The SQL that lets go of what is older than 180 days, some pages of a table at a time: no index has to be kept for
/// it, and nobody waits for long.
enum TrimStatements {
    private static let actions = Statement(
        """
        -- name: notes_trim_actions
        delete from note_actions
        where ctid >= $1::tid and ctid < $2::tid and recorded_at < clock_timestamp() - interval '180 days'
        """)

    /// The actions that left neither text nor tags. Of texts that were thinned out one after the other, the first row
    /// stays: it tells from where on a note's texts are not known. So it is with tags.
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

    /// How many pages the tables have.
    static let pages = sizes

    /// Lets go of actions whose ids nobody will send again.
    static func trimActions(_ pages: Range<Int64>) -> Call { Call(actions, start(pages), end(pages)) }

    /// Locks the accounts that have something to trim, but for those that are at work.
    static func lockAccounts(_ pages: Range<Int64>) -> Call { Call(accounts, start(pages), end(pages)) }

    /// Lets go of old rows of the history of accounts that are locked.
    static func trimRevisions(_ pages: Range<Int64>, of accounts: [Int64]) -> Call {
        Call(revisions, start(pages), end(pages), .bigintArray(accounts.map(\.self)))
    }

    private static func start(_ pages: Range<Int64>) -> Parameter { .text("(\(pages.lowerBound),0)") }

    private static func end(_ pages: Range<Int64>) -> Parameter { .text("(\(pages.upperBound),0)") }
}
