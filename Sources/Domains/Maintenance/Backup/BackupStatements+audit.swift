internal import AlmanacIdentity

/// The scripts that preserve the audit log across a restore.
extension BackupStatements {
    /// Copies the audit log to a temporary table before the database is cleared. A psql script.
    static let copyAudit = """
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

    /// Adds the lines that the backup lacks, and one about the restore. A psql script.
    ///
    /// A backup of an old release has no audit log yet; then nothing is added.
    static func restoreAudit(by author: Author) -> String {
        """

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
            select 'database.restore', convert_from(decode('\(hexadecimal(author.name))', 'hex'), 'UTF8'),
                '\(author.kind.rawValue)', jsonb_build_object('revision', revision, 'lineage', lineage)
            from public.config_head;
        end $$;
        """
    }

    /// Returns a text's bytes as hexadecimal digits, which psql does not interpret.
    static func hexadecimal(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
