internal import AlmanacPostgreSQL

/// The SQL of the migrations' own table.
enum MigrationStatements {
    /// Held until the transaction ends. The number is arbitrary, but the same for everyone.
    static let lock = Statement(
        """
        -- name: migration_lock
        select pg_advisory_xact_lock(7235421901)
        """)

    /// Alone among statements a lock can come before what decides how much a transaction sees.
    static let hold = Statement(
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

    /// The longest that a migration waits for one table, and everybody else behind it. Longer than the second after
    /// which PostgreSQL looks for a deadlock and sends autovacuum away.
    static let boundWaiting = """
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
