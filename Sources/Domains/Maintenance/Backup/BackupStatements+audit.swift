internal import AlmanacIdentity

/// The audit log outlives a restore: a backup takes nothing out of it.
extension BackupStatements {
    /// Notes who did what so far, before the database is cleared. A script.
    static let rememberAudit = """
        -- name: restore_remember_audit
        create temporary table almanac_audit (id bigint, recorded_at timestamptz(3), action text, author text,
            author_kind text, token_id text, subject text, details jsonb) on commit drop;
        do $$
        begin
            if to_regclass('public.audit_log') is not null then
                insert into pg_temp.almanac_audit
                select id, recorded_at, action, author, author_kind, token_id, subject, details from public.audit_log;
            end if;
        end $$;

        """

    /// Adds the lines that the backup lacks, and one about the restore. A script.
    ///
    /// A backup of an old release has no log yet, nor has the database then.
    static func keepAudit(by author: Author) -> String {
        // In digits, so that a name means nothing to psql.
        let name = author.name.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return """

            -- name: restore_keep_audit
            do $$
            begin
                if to_regclass('public.audit_log') is null then return; end if;
                insert into public.audit_log (recorded_at, action, author, author_kind, token_id, subject, details)
                select recorded_at, action, author, author_kind, token_id, subject, details
                from pg_temp.almanac_audit b where not exists (
                    select from public.audit_log a
                    where a.id = b.id and a.recorded_at = b.recorded_at and a.action = b.action)
                order by b.id;
                insert into public.audit_log (action, author, author_kind, details)
                select 'database.restore', convert_from(decode('\(name)', 'hex'), 'UTF8'),
                    '\(author.kind.rawValue)', jsonb_build_object('revision', revision, 'lineage', lineage)
                from public.config_head;
            end $$;
            """
    }
}
