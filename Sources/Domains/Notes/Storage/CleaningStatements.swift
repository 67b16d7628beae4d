internal import AlmanacAttachments
internal import AlmanacEnvironments
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The SQL that finds and removes unused attachments, unfinished uploads and unnamed blobs.
enum CleaningStatements {
    /// The limit on the accounts of one page, and on the blobs of one.
    static let accountsPerPage = 50
    static let blobsPerPage = 1000

    /// The time of the pass; the parameter is null except in tests.
    private static func now(_ parameter: String) -> String {
        "date_trunc('milliseconds', coalesce(\(parameter), clock_timestamp()))"
    }

    /// The accounts in which a pass may have work: an attachment that no present text names, or that was unused, or
    /// that is not stored after a day.
    private static let accounts = Statement(
        """
        -- name: cleaning_accounts
        select distinct t.account_id as id from attachments t
        where t.account_id > $1 and t.removed_at is null and (
            t.unused_since is not null
            or (t.revision is null and t.created_at < \(now("$2")) - interval '1 day')
            or (t.revision is not null and not exists (
                select from note_attachments n
                where n.account_id = t.account_id and n.attachment_id = t.id and n.until_revision is null)))
        order by 1 limit \(accountsPerPage)
        """)

    /// Blocks every other change of the account until the transaction ends.
    private static let lock = Statement(
        """
        -- name: cleaning_lock
        select a.id, (select \(Lineage.unforked) from config_head) as lineage from accounts a where a.id = $1
        for update of a
        """)

    /// Deletes attachments that are not stored and have received no piece for a day, and gives their bytes back.
    private static let forget = Statement(
        """
        -- name: cleaning_forget
        with gone as (
            delete from attachments t
            where t.account_id = $1 and t.removed_at is null and t.revision is null
                and greatest(t.created_at, (
                    select max(p.received_at) from upload_pieces p
                    where p.account_id = t.account_id and p.attachment_id = t.id)) < \(now("$2")) - interval '1 day'
            returning t.id, t.bytes + coalesce(t.preview_bytes, 0) as bytes
        ), pieces as (
            delete from upload_pieces p using gone g where p.account_id = $1 and p.attachment_id = g.id
        ), account as (
            update accounts set attachments = attachments - (select count(*) from gone),
                attachment_bytes = attachment_bytes - (select coalesce(sum(bytes), 0) from gone)
            where id = $1 and exists (select from gone)
        )
        select count(*) as count from gone
        """)

    /// Deletes the pieces of uploads that have received none for a day. Those of a preview begin again at 0.
    private static let forgetPieces = Statement(
        """
        -- name: cleaning_forget_pieces
        delete from upload_pieces p
        where p.received_at < \(now("$1")) - interval '1 day' and not exists (
            select from upload_pieces q
            where q.account_id = p.account_id and q.attachment_id = p.attachment_id and q.part = p.part
                and q.received_at >= \(now("$1")) - interval '1 day')
        """)

    /// A pattern of the id in references (`AttachmentReferences`).
    private static func pattern(_ id: String) -> String { "'(?<=attachments/)' || \(id) || '(?![a-z2-7])'" }

    /// Deletes the references of past texts that are no longer kept. The newest past text is read first, because it
    /// most likely has the reference.
    private static let deletePast = Statement(
        """
        -- name: cleaning_delete_past_references
        delete from note_attachments n
        where n.account_id = $1 and n.until_revision is not null
            and not exists (
                select from note_attachments o
                where o.account_id = n.account_id and o.attachment_id = n.attachment_id and o.until_revision is null)
            and (
                select true from note_revisions r
                where r.account_id = n.account_id and r.note_id = n.note_id and r.revision < n.until_revision
                    and position('attachments/' || n.attachment_id in r.body) > 0
                    and r.body ~ (\(pattern("n.attachment_id")))
                order by r.revision desc limit 1) is null
        """)

    /// Begins the time of attachments that nothing names, and ends that of attachments that something names again.
    private static let markUnused = Statement(
        """
        -- name: cleaning_mark_unused
        update attachments t set unused_since = case when not s.is_named then \(now("$2")) end
        from (
            select a.id, exists (
                select from note_attachments n where n.account_id = a.account_id and n.attachment_id = a.id) as is_named
            from attachments a where a.account_id = $1 and a.removed_at is null and a.revision is not null) s
        where t.account_id = $1 and t.id = s.id and s.is_named = (t.unused_since is not null)
        """)

    private static let due = Statement(
        """
        -- name: cleaning_due
        select t.id from attachments t
        where t.account_id = $1 and t.removed_at is null
            and t.unused_since <= \(now("$2")) - make_interval(days => $3)
        order by t.id
        """)

    /// Finds references to attachments in all texts of an account. Texts that an older release wrote have no rows yet.
    private static let findReferences = Statement(
        """
        -- name: cleaning_find_references
        select t.note_id, m.id, bool_or(t.is_present) as is_present
        from (
            select n.id as note_id, n.body, true as is_present from notes n where n.account_id = $1
            union all
            select r.note_id, r.body, false from note_revisions r where r.account_id = $1
        ) t, lateral (
            select (regexp_matches(t.body, \(pattern("'[a-z2-7]{26}'")), 'g'))[1] as id
        ) m
        where position('attachments/' in t.body) > 0 and m.id = any ($2)
        group by t.note_id, m.id
        """)

    private static let addReferences = Statement(
        """
        -- name: cleaning_add_references
        insert into note_attachments (account_id, note_id, attachment_id, until_revision)
        select $1, r.note_id, r.id, case when not r.is_present then a.revision + 1 end
        from accounts a, unnest($2, $3, $4) as r (note_id, id, is_present) where a.id = $1
        on conflict do nothing
        """)

    /// Blobs are named by the attachments that are stored, and by the stored previews.
    private static let isUnnamed = """
        not exists (
            select from attachments t where t.hash = b.hash and t.removed_at is null and t.revision is not null)
        and not exists (
            select from attachments t where t.preview_hash = b.hash and t.removed_at is null and t.preview_is_stored)
        """

    private static let blobs = Statement(
        """
        -- name: cleaning_blobs
        select b.hash, \(isUnnamed) as is_unnamed
        from (select hash from blobs where hash > $1 order by hash limit \(blobsPerPage)) b order by b.hash
        """)

    private static let deleteBlob = Statement(
        """
        -- name: cleaning_delete_blob
        delete from blobs b where b.hash = $1 and \(isUnnamed)
        """)

    private static let filesWithoutRow = Statement(
        """
        -- name: cleaning_files_without_row
        select f.hash from unnest($1) f (hash)
        where not exists (select from blobs b where b.hash = f.hash and b.store = $2)
        """)

    /// Reads the next accounts with work after an id, in the order of their ids.
    static func accounts(after id: Int64, _ now: Timestamp?) -> Call { Call(accounts, .bigint(id), .timestamp(now)) }

    /// Locks an account: no row if it was erased.
    static func lock(_ accountID: Int64) -> Call { Call(lock, .bigint(accountID)) }

    static func forget(in accountID: Int64, _ now: Timestamp?) -> Call {
        Call(forget, .bigint(accountID), .timestamp(now))
    }

    static func forgetPieces(_ now: Timestamp?) -> Call { Call(forgetPieces, .timestamp(now)) }

    static func deletePast(in accountID: Int64) -> Call { Call(deletePast, .bigint(accountID)) }

    static func markUnused(in accountID: Int64, _ now: Timestamp?) -> Call {
        Call(markUnused, .bigint(accountID), .timestamp(now))
    }

    /// Reads the attachments that were unused for a number of days.
    static func due(in accountID: Int64, after days: Int, _ now: Timestamp?) -> Call {
        Call(due, .bigint(accountID), .timestamp(now), .integer(Int32(clamping: days)))
    }

    static func findReferences(to ids: [String], in accountID: Int64) -> Call {
        Call(findReferences, .bigint(accountID), .textArray(ids))
    }

    /// Adds the rows that `findReferences` returned. The account must be locked.
    static func addReferences(_ rows: [(noteID: String, id: String, isPresent: Bool)], in accountID: Int64) -> Call {
        Call(
            addReferences, .bigint(accountID), .textArray(rows.map(\.noteID)), .textArray(rows.map(\.id)),
            .booleanArray(rows.map(\.isPresent)))
    }

    /// Reads the next blobs after a hash, each with true if no attachment names it.
    static func blobs(after hash: [UInt8]) -> Call { Call(blobs, .bytes(hash)) }

    /// Deletes a blob's row unless an attachment names it. The blob must be locked.
    static func deleteBlob(_ hash: BlobHash) -> Call { Call(deleteBlob, .bytes(hash.bytes)) }

    /// Reads those of the hashes that no row says are in a store.
    static func withoutRow(_ hashes: [BlobHash], in store: String) -> Call {
        Call(filesWithoutRow, .bytesArray(hashes.map(\.bytes)), .text(store))
    }
}
