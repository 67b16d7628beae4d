internal import AlmanacPostgreSQL

/// The SQL of the doctor, which changes nothing.
enum DoctorStatements {
    /// Reads the rights of the session's role that exceed those granted by migrations.
    static let role = Statement(
        """
        -- name: doctor_role
        select r.rolname as name, array_remove(array[
            case when r.rolsuper then 'it is a superuser' end,
            case when r.rolcreatedb then 'create databases' end,
            case when r.rolcreaterole then 'create roles' end,
            case when r.rolreplication then 'replicate' end,
            case when r.rolbypassrls then 'bypass row security' end,
            case when not r.rolsuper and has_schema_privilege('public', 'create') then 'create tables' end,
            case when not r.rolsuper and has_database_privilege(current_database(), 'create') then 'create schemas' end,
            case when not r.rolsuper and has_database_privilege(current_database(), 'temporary')
                then 'create temporary tables' end,
            case when not r.rolsuper and has_function_privilege('pg_catalog.lo_creat(integer)', 'execute')
                then 'create large objects' end,
            (
                select 'open ' || string_agg(d.datname, ', ' order by d.datname) from pg_database d
                where not r.rolsuper and d.datallowconn and d.datname <> current_database() and (
                    d.datname in ('postgres', 'template1') and has_database_privilege(d.oid, 'connect')
                    or exists (select from aclexplode(d.datacl) a
                        where a.grantee = r.oid and a.privilege_type = 'CONNECT'))
            ),
            case when not r.rolsuper and exists (
                select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')
                    and pg_has_role(c.relowner, 'usage'))
                then 'alter and drop tables' end,
            case when not r.rolsuper and exists (
                select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'truncate'))
                then 'truncate tables' end
        ], null) as powers
        from pg_roles r where r.rolname = current_user
        """)

    /// Reads the session's role, and the other owners of tables in the schema.
    static let owner = Statement(
        """
        -- name: doctor_owner
        select current_user::text as name, array(
            select distinct pg_get_userbyid(c.relowner)::text || '''s tables'
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'public' and c.relkind in ('r', 'p') and not pg_has_role(c.relowner, 'usage')
        ) as others
        """)

    /// Reads only the number of standbys, because an ordinary role sees nothing else about them.
    static let replication = Statement(
        """
        -- name: doctor_replication
        select pg_is_in_recovery() as is_standby, (select count(*) from pg_stat_replication) as standbys,
            current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit
        """)

    /// Reads the replication slots, and the bytes of WAL that each keeps on the server's disk.
    static let slots = Statement(
        """
        -- name: doctor_slots
        select slot_name::text as name, active, coalesce(wal_status, '') as wal_status,
            coalesce(pg_wal_lsn_diff(
                case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn
            ), 0)::bigint as bytes
        from pg_replication_slots order by slot_name
        """)

    /// Counts the sessions by database, because an ordinary role does not see the kind of other roles' sessions.
    static let connections = Statement(
        """
        -- name: doctor_connections
        select coalesce(sum(numbackends), 0)::bigint as used, current_setting('max_connections')::bigint
            - current_setting('superuser_reserved_connections')::bigint as available
        from pg_stat_database
        """)

    /// Reads the keys with plain values that reach fewer majors than they could: an older major has another value of
    /// the same type, or lacks the key. The members of objects are not compared.
    static let detachedKeys = Statement(
        """
        -- name: doctor_detached_keys
        select distinct n.key
        from config_entries n
        join config_majors m on m.retired_at is null and not n.majors @> m.major
        left join config_entries o on o.key = n.key and o.majors @> m.major
        where upper_inf(n.majors) and n.kind = 'value' and n.value is not null and coalesce(o.kind, 'value') = 'value'
            and (o.value is null or o.value <> n.value and jsonb_typeof(o.value) = jsonb_typeof(n.value)
                and jsonb_typeof(n.value) <> 'object')
        order by n.key
        """)

    static let upkeep = Statement(
        """
        -- name: doctor_upkeep
        select backed_up_at, watched_since from upkeep
        """)

    static let clock = Statement(
        """
        -- name: doctor_clock
        select clock_timestamp() as now
        """)
}
