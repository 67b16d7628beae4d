internal import AlmanacEnvironments
internal import AlmanacPostgreSQL

enum BackupStatements {
    /// The tables of a backup. It leaves out unlogged tables, which a crash may empty at any time.
    static let tables = Statement(
        """
        -- name: backup_tables
        select c.relname as name, format('public.%I', c.relname) as quoted
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r' and c.relpersistence <> 'u'
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        order by c.relname collate "C"
        """)

    /// Counts the rows of a table, and sums a hash of each.
    ///
    /// - Parameter table: the name of the table, quoted by the server.
    static func contents(of table: String, number: Int) -> Statement {
        Statement(
            """
            -- name: backup_contents_\(number)
            select count(*) as rows,
                coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint), 0)::text as digest
            from \(table) t
            """)
    }

    static let head = Statement(
        """
        -- name: backup_head
        select revision, lineage from public.config_head
        """)

    static let hasBlobs = Statement(
        """
        -- name: backup_has_blobs
        select to_regclass('public.blobs') is not null as has_blobs
        """)

    static let blobs = Statement(
        """
        -- name: backup_blobs
        select hash, bytes, store from public.blobs order by hash
        """)

    static let stores = Statement(
        """
        -- name: backup_stores
        select distinct store from public.blobs
        """)

    /// Reads those of some hashes that a row names.
    static let blobsOf = Statement(
        """
        -- name: backup_blobs_of
        select hash, store from public.blobs where hash = any ($1)
        """)

    static let setStore = Statement(
        """
        -- name: restore_set_store
        update public.blobs set store = $2 where hash = $1
        """)

    static let deleteBlob = Statement(
        """
        -- name: restore_delete_blob
        delete from public.blobs where hash = $1
        """)

    static let isStandby = Statement(
        """
        -- name: backup_is_standby
        select pg_is_in_recovery() as is_standby
        """)

    /// Exports the transaction's snapshot for other sessions, with its time.
    static let exportSnapshot = Statement(
        """
        -- name: backup_export_snapshot
        select pg_export_snapshot() as snapshot, date_trunc('milliseconds', now()) as moment
        """)

    static let presentHead = Statement(
        """
        -- name: restore_present_head
        select revision, lineage, concat_ws('.', major, minor, patch) as version,
            to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at
        from public.config_head
        """)

    static let presentEnvironment = Statement(
        """
        -- name: restore_present_environment
        select environment from public.upkeep
        """)

    static let presentAccounts = Statement(
        """
        -- name: restore_present_accounts
        select count(*) as accounts, coalesce(sum(revision), 0)::bigint as changes from public.accounts
        """)

    static let presentTokens = Statement(
        """
        -- name: restore_present_tokens
        select id, label, revoked_at is not null as is_revoked from public.api_tokens order by created_at, id
        """)

    /// Expects the time of the backup's last config change as text.
    static let releasesSince = Statement(
        """
        -- name: restore_releases_since
        select count(*) as releases from public.config_releases where released_at > $1::timestamptz
        """)

    static let databaseName = Statement(
        """
        -- name: restore_database_name
        select current_database()::text as name
        """)

    /// Locks all tables of the database, or none. A psql script.
    ///
    /// The locks are taken in the order in which workers take them (`Schema.blockRestore`). A failed attempt releases
    /// all locks before the next, so that a session which holds one lock and waits for another can proceed. The first
    /// timeouts are shorter than PostgreSQL's deadlock timeout of one second, so that no request is ended as a deadlock
    /// victim. The last timeouts are longer, because PostgreSQL cancels autovacuum only after that second.
    static let lockTables = """
        -- name: restore_seize
        set client_min_messages = warning;
        do $$
        declare tables text;
        begin
            select string_agg(format('public.%I', c.relname), ', ' order by
                    c.relname <> 'almanac_migrations', c.relname <> 'accounts', c.relname <> 'config_head', c.relname)
                into tables
                from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p');
            if tables is null then return; end if;
            for attempt in 1..40 loop
                begin
                    execute format('set local lock_timeout = %s', case when attempt <= 25 then 400 else 3000 end);
                    execute 'lock table ' || tables || ' in access exclusive mode';
                    set local lock_timeout = 0;
                    return;
                exception when lock_not_available or deadlock_detected then
                    perform pg_sleep(0.02);
                end;
            end loop;
            raise exception 'tables of the database stay in use by others: nothing was changed, try again'
                using errcode = 'lock_not_available';
        end $$;

        """

    /// Drops everything that any migration has created. A psql script.
    static let clear = """
        -- name: restore_clear
        do $$
        declare thing record;
        begin
            for thing in select format('extension %I', extname) as name from pg_extension e
                join pg_namespace n on n.oid = e.extnamespace where n.nspname = 'public'
            loop execute 'drop ' || thing.name || ' cascade'; end loop;
            for thing in select format('%s public.%I', case c.relkind when 'v' then 'view'
                when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.relname) as name
                from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S') order by c.relkind = 'S'
            loop execute 'drop ' || replace(thing.name, ' public.', ' if exists public.') || ' cascade'; end loop;
            -- All names before the first is gone: those that use another one go with it.
            for thing in select unnest(array(select format('routine if exists %s', p.oid::regprocedure)
                from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public')) as name
            loop execute 'drop ' || thing.name || ' cascade'; end loop;
            for thing in select format('type public.%I', t.typname) as name
                from pg_type t join pg_namespace n on n.oid = t.typnamespace
                where n.nspname = 'public' and t.typtype in ('e', 'd', 'r', 'c') and t.typrelid = 0
            loop execute 'drop ' || thing.name || ' cascade'; end loop;
        end $$;

        """

    /// Copies data that is newer than any backup before the database is cleared: the revoked tokens, and the time of
    /// this database's newest backup. A psql script.
    static let copyUpkeep = """
        -- name: restore_remember_upkeep
        create temporary table almanac_revoked (id text, digest bytea, label text, scopes text[],
            created_at timestamptz, expires_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
            on commit drop;
        create temporary table almanac_upkeep (backed_up_at timestamptz) on commit drop;
        do $$
        begin
            if to_regclass('public.api_tokens') is not null then
                insert into pg_temp.almanac_revoked
                    select id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
                    from public.api_tokens where revoked_at is not null;
            end if;
            if to_regclass('public.upkeep') is not null then
                insert into pg_temp.almanac_upkeep select backed_up_at from public.upkeep;
            end if;
        end $$;

        """

    /// Revokes again the tokens that were revoked before the restore. A psql script.
    ///
    /// Tokens that the backup lacks are also stored, because a later backup with them may be restored next.
    static let reapplyRevocations = """

        -- name: restore_revoke_again
        do $$
        declare token record;
        begin
            if to_regclass('public.api_tokens') is null then return; end if;
            for token in select * from pg_temp.almanac_revoked loop
                update public.api_tokens t set revoked_at = coalesce(t.revoked_at, token.revoked_at)
                    where t.id = token.id and t.digest = token.digest;
                if found then continue; end if;
                begin
                    insert into public.api_tokens
                        (id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at)
                        values (token.id, token.digest, token.label, token.scopes, token.created_at, token.expires_at,
                            token.last_used_at, token.revoked_at);
                -- An older schema may not know what the token was for.
                exception when check_violation or unique_violation then null;
                end;
            end loop;
        end $$;
        """

    /// Ends every session: a session in the backup may have been ended after the backup. A psql script.
    static let endSessions = """

        -- name: restore_end_sessions
        do $$
        begin
            delete from public.sessions;
            delete from public.session_codes;
            delete from public.login_attempts;
        exception when undefined_table then null;
        end $$;
        """

    /// Begins the time of unused attachments anew, because devices may name them in texts that are newer than the
    /// backup. A psql script.
    static let renewUnused = """

        -- name: restore_renew_unused
        do $$
        begin
            update public.attachments set unused_since = null where unused_since is not null;
        exception when undefined_table then null;
        end $$;
        """

    /// Closes the open proposals, whose reviewers saw another config, and the deliveries that were sent or lost since
    /// the backup. Disables the hooks of a backup of another environment, whose receivers expect that one. A psql
    /// script.
    static func closePending(for environment: EnvironmentName) -> String {
        """

        -- name: restore_close_pending
        do $$
        begin
            update public.proposals set state = 'closed', closed_as = 'restored', version = version + 1,
                changed_at = date_trunc('milliseconds', clock_timestamp())
            where state = 'open';
            update public.deliveries set state = 'failed', leased_until = null where state = 'open';
            update public.hooks set disabled_at = date_trunc('milliseconds', clock_timestamp()),
                disabled_reason = 'restored'
            where disabled_at is null and exists (
                select from public.upkeep where environment <> '\(environment)');
        exception when undefined_table then null;
        end $$;
        """
    }

    /// Records the database's environment, and restores the time of its newest backup. A psql script.
    static func claim(for environment: EnvironmentName) -> String {
        """

        -- name: restore_claim
        do $$
        begin
            update public.upkeep set environment = '\(environment)',
                backed_up_at = coalesce((select backed_up_at from pg_temp.almanac_upkeep), backed_up_at);
        exception when undefined_table then null;
        end $$;
        """
    }

    /// Copies the revisions of the database's history before the database is cleared. A psql script.
    static let copyRevisions = """
        -- name: restore_remember
        create temporary table almanac_before
            (lineage text, issuer text collate "C", subject text collate "C", word text, revision bigint)
                on commit drop;
        do $$
        begin
            if to_regclass('public.config_head') is not null then
                insert into pg_temp.almanac_before (lineage, revision) select lineage, revision from public.config_head;
            end if;
            if to_regclass('public.accounts') is not null then
                insert into pg_temp.almanac_before (issuer, subject, word, revision)
                    select issuer, subject, word, revision from public.accounts;
            end if;
        end $$;

        """

    /// Fails if the database had later revisions of the backup's lineage than the backup has. A psql script.
    static let failOnLoss = """

        -- name: restore_refuse_loss
        do $$
        declare
            advice constant text := ': restore without --keep-lineage, so that clients read everything anew';
        begin
            if not exists (select from pg_temp.almanac_before join public.config_head using (lineage)) then
                return;
            end if;
            if exists (select from pg_temp.almanac_before b join public.config_head h using (lineage)
                where b.revision > h.revision)
            then raise exception 'the config has changed since this backup%', advice; end if;
            if to_regclass('public.accounts') is null then
                if not exists (select from pg_temp.almanac_before where issuer is not null) then return; end if;
            elsif not exists (select from pg_temp.almanac_before b
                left join public.accounts a using (issuer, subject, word)
                where b.issuer is not null and (a.revision is null or b.revision > a.revision))
            then return; end if;
            raise exception 'notes have changed since this backup%', advice;
        end $$;
        """

    /// Keeps the lineage, so that clients continue with their cursors, or renews it, so that they read everything
    /// again. A psql script.
    ///
    /// A backup of an old release has no timeline yet; the migration that creates the timeline fills it in.
    static func setLineage(isKept: Bool) -> String {
        """

        -- name: restore_lineage
        do $$
        begin
            update public.config_head set \(isKept ? Lineage.timelineAssignment : Lineage.renewal);
        exception when undefined_column then
            update public.config_head set \(isKept ? "lineage = lineage" : Lineage.renewalWithoutTimeline);
        end $$;
        """
    }

    /// Notifies workers that the config and the tokens have changed and that all sessions have ended. A psql script.
    static let announce = """

        -- name: restore_announce
        select pg_notify('almanac_config', revision::text), pg_notify('almanac_tokens', ''),
            pg_notify('almanac_sessions', ''), pg_notify('almanac_people', '')
        from public.config_head;
        """
}
