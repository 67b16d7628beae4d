internal import AlmanacPostgreSQL

/// The statement and the script that repeat erasures after a restore.
///
/// The audit log names an erased account by its word, a purged note by its account's word and its id, and a purged key
/// by its name. The log survives restores, so an erasure is also repeated after a second restore.
extension BackupStatements {
    static let presentErasures = Statement(
        """
        -- name: restore_present_erasures
        select action, subject, details::text as details, recorded_at from public.audit_log
        where action in ('account.erase', 'note.purge', 'config.purge') order by id
        """)

    private static let listed = """
        (id bigint, recorded_at timestamptz(3), action text, author text, author_kind text, token_id text, subject text,
            details jsonb)
        """

    /// Reads lines of an audit log as `almanac audit --json` prints them. A line without a member is an error.
    static let listedErasures = Statement(
        """
        -- name: restore_listed_erasures
        select e.action, e.subject, e.details::text as details, e.recorded_at
        from jsonb_to_recordset($1::jsonb) as e \(listed)
        """)

    /// Adds the erasures of a file to the copy of the audit log. A psql script.
    ///
    /// - Parameter lines: lines of an audit log that `listedErasures` has read.
    static func addErasures(_ lines: String) -> String {
        """

        -- name: restore_add_erasures
        insert into pg_temp.almanac_audit
        select coalesce(e.id, 0), e.recorded_at, e.action, coalesce(e.author, 'unknown'),
            coalesce(e.author_kind, 'host'), e.token_id, e.subject, e.details
        from jsonb_to_recordset(convert_from(decode('\(hexadecimal(lines))', 'hex'), 'UTF8')::jsonb) as e
            \(listed)
        where e.action in ('account.erase', 'note.purge', 'config.purge') and not exists (
            select from pg_temp.almanac_audit a where (a.recorded_at, a.action, a.subject, a.details)
                = (e.recorded_at, e.action, e.subject, e.details));
        """
    }

    /// Erases accounts, notes and keys again that the database's audit log names. A psql script.
    ///
    /// An erasure that the backup already contains changes nothing. A purged key loses only the values from before its
    /// purge, because it may have been set again since. The backup may have an older schema, in which some columns and
    /// tables are missing. No revision is counted up, because the restore renews the lineage.
    static let repeatErasures = """

        -- name: restore_erase_again
        do $$
        declare
            erasure record;
            account bigint;
            size bigint;
        begin
            for erasure in select action, subject, details ->> 'note' as note, recorded_at from pg_temp.almanac_audit
                where action = 'config.purge' loop
                update public.config_entries set value = null, description = ''
                where key = erasure.subject and value is not null and updated_at <= erasure.recorded_at;
                update public.config_changes c set before = null, after = null, description = '', purged = true
                from public.config_releases r
                where c.key = erasure.subject and not c.purged and r.revision = c.revision
                    and r.released_at <= erasure.recorded_at;
            end loop;
            if to_regclass('public.accounts') is null then return; end if;
            for erasure in select action, subject, details ->> 'note' as note, recorded_at from pg_temp.almanac_audit
                where action in ('account.erase', 'note.purge') loop
                select id into account from public.accounts where word = erasure.subject;
                continue when not found;
                if erasure.action = 'account.erase' then
                    delete from public.note_actions where account_id = account;
                    delete from public.note_revisions where account_id = account;
                    delete from public.notes where account_id = account;
                    delete from public.accounts where id = account;
                    continue;
                end if;
                select octet_length(title) + octet_length(body) + (
                        select coalesce(sum(octet_length(tag)), 0)
                        from jsonb_object_keys(coalesce(to_jsonb(n) -> 'tags', '{}')) tag) into size
                from public.notes n where account_id = account and id = erasure.note and purged_at is null;
                continue when not found;
                delete from public.note_revisions where account_id = account and note_id = erasure.note;
                update public.notes set title = '', body = '', purged_at = erasure.recorded_at,
                    deleted_at = coalesce(deleted_at, erasure.recorded_at)
                where account_id = account and id = erasure.note;
                insert into public.note_revisions (account_id, note_id, revision, action, recorded_at)
                select account_id, id, revision, 'purgeNote', erasure.recorded_at
                from public.notes where account_id = account and id = erasure.note;
                update public.accounts set notes = notes - 1, bytes = greatest(0, bytes - size) where id = account;
                begin
                    update public.accounts set history_bytes = null where id = account;
                    update public.notes set tags = '{}', pinned = false, written_at = null
                    where account_id = account and id = erasure.note;
                    delete from public.note_words where account_id = account and note_id = erasure.note;
                exception when undefined_column or undefined_table then null;
                end;
                begin
                    delete from public.note_attachments where account_id = account and note_id = erasure.note;
                exception when undefined_table then null;
                end;
            end loop;
        end $$;
        """
}
