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
        """

    /// The limit on a migration's wait for one table, during which other sessions queue behind it. The limit exceeds
    /// the second after which PostgreSQL checks for deadlocks and cancels autovacuum.
    static let lockTimeout = """
        -- name: migration_bound_waiting
        set local lock_timeout = '1500ms'
        """

    static let all = Statement(
        """
        -- name: migration_all
        select number, name, digest from almanac_migrations order by number
        """)

    static let newest = Statement(
        """
        -- name: migration_newest
        select max(number) as number from almanac_migrations having max(number) is not null
        """)

    static func insert(_ migration: Migration) -> Call {
        Call(insert, .integer(Int32(migration.number)), .text(migration.name), .text(migration.digest))
    }

    private static let insert = Statement(
        """
        -- name: migration_insert
        insert into almanac_migrations (number, name, digest) values ($1, $2, $3)
        """)
}
