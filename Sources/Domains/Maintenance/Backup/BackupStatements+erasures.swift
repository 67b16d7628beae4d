internal import AlmanacPostgreSQL

/// The statement and the script that repeat erasures after a restore.
///
/// The audit log names an erased account by its word, a purged note by its account's word and its id, a purged key by
/// its name, and a person by a random id. The log survives restores, so an erasure is also repeated after a second
/// restore.
extension BackupStatements {
    /// The actions that are repeated after a restore.
    private static let repeated = DatabaseState.Erasure.actions.map { "'\($0)'" }.joined(separator: ", ")

    static let presentErasures = Statement(
        """
        -- name: restore_present_erasures
        select action, subject, details::text as details, recorded_at from public.audit_log
        where action in (\(repeated)) and \(isPresent("audit_log", in: "public.audit_log")) order by id
        """)

    /// Returns the condition that no person was admitted or invited again after the removal in a line of the log.
    ///
    /// - Parameters:
    ///   - line: the alias of the line.
    ///   - log: the table with all lines.
    private static func isPresent(_ line: String, in log: String) -> String {
        """
        not (\(line).action = 'person.remove' and exists (
            select from \(log) later where (later.recorded_at, later.id) > (\(line).recorded_at, \(line).id) and (
                later.action = 'person.admit' and later.subject = \(line).subject
                or later.action = 'invitation.accept' and later.details ->> 'person' = \(line).subject)))
        """
    }

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
        where e.action in (\(repeated), 'person.admit', 'invitation.accept', 'passkey.remove') and not exists (
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
                continue when to_regclass('public.proposals') is null;
                update public.proposals p set state = 'closed', closed_as = 'purged', version = version + 1
                from public.proposal_edits e
                where e.key = erasure.subject and p.number = e.number and p.created_at <= erasure.recorded_at
                    and p.state in ('draft', 'open');
                update public.proposal_edits e set before = null, after = null from public.proposals p
                where e.key = erasure.subject and p.number = e.number and p.created_at <= erasure.recorded_at;
                update public.proposals p set failure = null
                where p.failure ? 'faults' or strpos(p.failure::text, to_json(erasure.subject)::text) > 0;
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

    /// Removes people again, and erases their names again. A psql script.
    ///
    /// A line that the backup's log contains changes nothing, because the person may have been admitted since. Also
    /// deletes passkeys again, and the open invitations, which may have been used or revoked since the backup.
    static let removeAgain = """

        -- name: restore_remove_again
        do $$
        declare
            line record;
            has_passkeys constant boolean := to_regclass('public.passkeys') is not null;
        begin
            if to_regclass('public.people') is null then return; end if;
            for line in select e.action, e.subject, e.recorded_at, e.details ->> 'issuer' as issuer,
                    e.details ->> 'subject' as name from pg_temp.almanac_audit e
                where e.action in ('person.remove', 'person.erase', 'passkey.remove')
                    and \(isPresent("e", in: "pg_temp.almanac_audit"))
                    and not exists (select from public.audit_log a where (a.recorded_at, a.action, a.subject)
                        = (e.recorded_at, e.action, e.subject)) loop
                if line.action = 'person.remove' then
                    -- The backup may be older than the first use by this person.
                    insert into public.people as p (id, issuer, subject, source, removed_at)
                    values (line.subject, line.issuer, line.name, 'claim', line.recorded_at)
                    on conflict (issuer, subject) do update
                    set removed_at = coalesce(p.removed_at, excluded.removed_at);
                elsif line.action = 'person.erase' then
                    update public.people set name = null where issuer = line.issuer and subject = line.name;
                elsif has_passkeys then
                    delete from public.passkeys where id = line.subject;
                end if;
            end loop;
            if has_passkeys then delete from public.invitations where accepted_at is null; end if;
        end $$;
        """

    /// Deletes passkeys and invitations, which were made for another environment. A psql script.
    static let deletePasskeys = """

        -- name: restore_delete_passkeys
        do $$
        begin
            if to_regclass('public.passkeys') is null then return; end if;
            delete from public.passkeys;
            delete from public.invitations where accepted_at is null;
        end $$;
        """
}
