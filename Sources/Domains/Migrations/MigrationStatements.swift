internal import AlmanacPostgreSQL

/// The SQL of the table of applied migrations.
enum MigrationStatements {
    /// Serializes migrations until the transaction ends. The number is arbitrary, but the same for all releases.
    static let lock = Statement(
        """
        -- name: migration_lock
        select pg_advisory_xact_lock(7235421901)
        """)

    /// Locks the table. `LOCK` is the only statement that can run before a transaction's snapshot is taken.
    static let blockRestore = Statement(
        """
        -- name: migration_hold
        lock table almanac_migrations in access share mode
        """)

    static let createTable = """
        -- name: migration_table
        create table if not exists almanac_migrations (
            number integer primary key,
            name text not null,
            digest text not null,
            applied_at timestamptz(3) not null default clock_timestamp()
        );
        grant select on almanac_migrations to almanac_worker;
        do $$ begin
            -- The statement would lock the table even if the column exists.
            if not exists (
                select from pg_attribute where attrelid = 'almanac_migrations'::regclass and attname = 'keeps'
            ) then
                alter table almanac_migrations add column keeps integer;
            end if;
        end $$;
        """

    /// Limits a migration's wait for one table, during which other sessions queue behind it. The limit exceeds the
    /// second after which PostgreSQL checks for deadlocks and cancels autovacuum. If the program is killed, PostgreSQL
    /// ends the migration, and with it the locks, within a second.
    static let bounds = """
        -- name: migration_bounds
        set local lock_timeout = '1500ms';
        set local client_connection_check_interval = '1s'
        """

    static let all = Statement(
        """
        -- name: migration_all
        select number, name, digest from almanac_migrations
        """)

    /// Reads the migrations of a schema whose table may lack the column `keeps`, as earlier releases made it.
    static let numbers = Statement(
        """
        -- name: migration_numbers
        select number, coalesce((to_jsonb(m) ->> 'keeps')::integer, number - 1) as keeps from almanac_migrations m
        """)

    static func insert(_ migration: Migration) -> Call {
        Call(
            insert, .integer(Int32(migration.number)), .text(migration.name), .text(migration.digest),
            .integer(Int32(migration.keeps)))
    }

    private static let insert = Statement(
        """
        -- name: migration_insert
        insert into almanac_migrations (number, name, digest, keeps) values ($1, $2, $3, $4)
        """)
}
