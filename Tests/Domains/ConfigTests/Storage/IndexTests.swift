import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct IndexTests {
    /// A script that adds a hundred thousand entries, a millisecond apart. A worker has yet to see the last ten. The
    /// script drops the exclusion constraint, because its GiST index cannot serve these statements and takes most of
    /// the time.
    private static let fill = """
        alter table config_entries drop constraint config_entries_one_per_key_and_major;
        insert into config_entries (key, majors, value, revision, updated_at)
        select 'key' || n, '[1,)', to_jsonb(n), n, timestamptz '2020-01-01Z' + n * interval '1 millisecond'
        from generate_series(1, 100000) as n;
        analyze config_entries
        """

    private let seen = Timestamp("2020-01-01T00:01:39.990Z")!

    @Test func `ten changes among a hundred thousand entries are found by the index on updated_at`() throws {
        let connection = try Connection(TestDatabase.current.settings)
        try connection.execute(script: Self.fill)
        #expect(try connection.run(EntryStatements.changed(after: seen)).count == 10)
        let explain = Statement("-- name: test_explain\nexplain " + EntryStatements.changedAfter.sql)
        // PostgreSQL may switch to a generic plan after five runs, and a worker's prepared statement runs for days.
        for run in 1...10 {
            let plan = try connection.run(explain, .timestamp(seen)).map { try $0.text("QUERY PLAN") }
                .joined(separator: "\n")
            #expect(plan.contains("config_entries_updated_at"), "run \(run): \(plan)")
            #expect(!plan.contains("Seq Scan"), "run \(run): \(plan)")
        }
        let execute = Statement("-- name: test_execute\nexplain execute test_prepared ('2020-01-01T00:01:39.990Z')")
        try connection.execute(script: "prepare test_prepared (timestamptz) as \(EntryStatements.changedAfter.sql)")
        for run in 1...10 {
            let plan = try connection.run(execute).map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
            #expect(plan.contains("config_entries_updated_at"), "run \(run): \(plan)")
        }
    }
}
