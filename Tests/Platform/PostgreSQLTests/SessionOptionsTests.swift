import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct SessionOptionsTests {
    @Test func `a session tells what it was made with, for other programs to log in alike`() throws {
        try withTestDatabase { settings in
            let options = try Connection(settings).options
            #expect(options.contains { $0.keyword == "user" && $0.value == "postgres" })
            #expect(options.contains { $0.keyword == "dbname" && $0.value.hasPrefix("almanac_test_") })
            #expect(options.allSatisfy { !$0.value.isEmpty })
        }
    }

    @Test func `a statement that runs for too long is stopped, and the session goes on`() throws {
        try withTestDatabase { settings in
            let connection = try Connection(settings.limitingStatements(to: .milliseconds(50)))
            let sleep = Statement("-- name: sleep\nselect true as awake from pg_sleep(60)")
            #expect(state { try connection.run(sleep) } == .queryCanceled)
            // The timeout applies in a pipeline too, which rolls its transaction back.
            #expect(state { try connection.transaction { try $0.runAndCommit(Call(sleep)) } } == .queryCanceled)
            let rows = try connection.run(Statement("-- name: one\nselect true as fine"))
            #expect(try rows.single("a row").boolean("fine"))
        }
    }

    @Test func `the same login reaches another database of the server`() throws {
        try withTestDatabase { settings in
            let rows = try Connection(settings.inDatabase("postgres")).run(
                Statement("-- name: which\nselect current_database()::text as name"))
            #expect(try rows.single("a row").text("name") == "postgres")
        }
    }
}
