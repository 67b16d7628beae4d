import AlmanacEnvironments
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Reads an environment's database while a restore replaces the tables.
@Suite(.database(.migrated)) struct ViewTests {
    private static let head = Statement("-- name: test_head\nselect count(*) as count from config_head")
    private static let waiting = Statement(
        "-- name: test_waiting\nselect count(*) as count from pg_locks where not granted "
            + "and relation = 'almanac_migrations'::regclass")

    /// The start of a restore: it locks the tables, and replaces one with a copy of the same name.
    private static let replace = """
        begin;
        lock table almanac_migrations, accounts, config_head in access exclusive mode;
        create table other (like config_head including all);
        insert into other select * from config_head;
        drop table config_head;
        alter table other rename to config_head;
        grant select on config_head to almanac_worker;
        """

    private func someoneWaits(_ database: TestDatabase) throws -> Bool {
        let connection = try Connection(database.settings)
        return try eventually(within: .seconds(20)) { try connection.run(Self.waiting)[0].bigint("count") > 0 }
    }

    @Test func `it waits for the restore, and sees what that has brought`() throws {
        let database = try TestDatabase.current
        let restore = try Connection(database.settings)
        try restore.execute(script: Self.replace)
        let seen = Monitor<Result<Int64, any Error>?>(nil)
        let viewer = Thread(name: "viewer") {
            let count = Result {
                try Connection(database.settings(user: TestDatabase.worker)).view {
                    try $0.run(Self.head)[0].bigint("count")
                }
            }
            seen.update { $0 = count }
        }
        #expect(try someoneWaits(database))
        try restore.execute(script: "commit")
        #expect(viewer.wait(upTo: .seconds(20)))
        #expect(try seen.read { $0 }?.get() == 1)
    }

    @Test func `it keeps a restore waiting until it is over, and changes nothing`() throws {
        let database = try TestDatabase.current
        let restore = try Connection(database.settings)
        let worker = try Connection(database.settings(user: TestDatabase.worker))
        try worker.view { worker in
            try restore.execute(script: "set lock_timeout = '50ms'")
            let failure = #expect(throws: PostgresFailure.self) { try restore.execute(script: Self.replace) }
            #expect(failure?.state == .lockNotAvailable)
            try restore.execute(script: "rollback")
            #expect(try worker.run(Self.head)[0].bigint("count") == 1)
        }
        let failure = #expect(throws: PostgresFailure.self) {
            try worker.view { try $0.execute(script: "update config_head set revision = 1") }
        }
        #expect(failure?.state == .readOnlySQLTransaction)
        try restore.execute(script: Self.replace + "commit")
    }
}
