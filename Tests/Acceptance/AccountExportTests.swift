import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of `GET /account` for a large account: the worker's memory, and failures in the middle of the response.
    @Suite struct AccountExportTests {
        private let instance: Instance
        private let user: NotesUser
        private let database: ConnectionSettings

        init() throws {
            instance = try Instance.current()
            user = try NotesUser("large")
            database = ConnectionSettings(conninfo: "\(try TestCluster.conninfo) dbname=almanac_development")
        }

        private func execute(_ script: String) throws { try Connection(database).execute(script: script) }

        /// Adds notes of one mebibyte each to the user's account.
        private func fill(_ count: Int) throws {
            try user.client().create(("first", ""))
            try execute(
                """
                insert into notes (account_id, id, title, body, position, created_at, updated_at, revision,
                    text_revision, tags)
                select a.id, 'n' || i, 'Note ' || i, repeat('0123456789abcde ', 65536), 'b' || lpad(i::text, 6, '0'),
                    now(), a.updated_at + i * interval '1 millisecond', 1 + i, 1 + i,
                    jsonb_build_object('Straße', 1 + i)
                from accounts a, generate_series(1, \(count)) as i where a.subject = '\(user.subject)';
                update accounts set revision = revision + \(count), notes = notes + \(count),
                    bytes = bytes + \(count) * 1048590::bigint, updated_at = updated_at + interval '1 minute'
                where subject = '\(user.subject)'
                """)
        }

        /// Deletes the account. Otherwise every backup that later tests make would contain it.
        private func erase() { #expect((try? user.client().send("DELETE", "account").status) == 204) }

        private func curl(_ options: String...) -> [String] {
            ["-sS", "--cacert", instance.caFile, "--max-time", "300", "-H", "Authorization: Bearer \(user.token)"]
                + options + ["\(instance.url)/development/account"]
        }

        @Test func `an account of 128 mebibytes takes the worker no more memory than a page of it`() throws {
            defer { erase() }
            try fill(127)
            // Allocates the memory that the worker needs for any request.
            _ = try user.client().send("GET", "notes?limit=1")
            let (size, cost) = try ServerCost.measured(on: instance) {
                try Command.run("curl", curl("-o", "/dev/null", "-w", "%{size_download}"), within: .seconds(300))
            }
            #expect(size.succeeded && Int(size.output) ?? 0 > 127 << 20, "\(size.output) \(size.errors)")
            print("GET /account of 128 MiB took \(cost.memory >> 10) KiB of the worker")
            #expect(cost.memory < 48 << 20)
        }

        @Test(arguments: ["--http1.1", "--http2"])
        func `a failure in the middle is seen: the download fails, and what came is no document`(version: String) throws
        {
            defer { erase() }
            let folder = try TemporaryFolder()
            let file = "\(folder.path)/account.json"
            try fill(20)
            // Damages a note near the end of the response.
            try execute(
                """
                update notes n set tags = '[]' from accounts a
                where a.id = n.account_id and a.subject = '\(user.subject)' and n.id = 'n19'
                """)
            let outcome = try Command.run("curl", curl(version, "-o", file), within: .seconds(300))
            #expect(!outcome.succeeded, "\(outcome.status) \(outcome.errors)")
            #expect(try File.size(file) > 14 << 20)
            #expect(try !Command.run("jq", ["empty", file]).succeeded)
            try execute(
                """
                update notes n set tags = '{}' from accounts a
                where a.id = n.account_id and a.subject = '\(user.subject)' and n.id = 'n19'
                """)
            #expect(try Command.run("curl", curl(version, "-o", file), within: .seconds(300)).succeeded)
            #expect(try Command.run("jq", [".notes | length", file]).output == "21\n")
        }

        @Test func `a database that goes away in the middle is a failure too`() throws {
            defer { erase() }
            try fill(120)
            let download = try BackgroundCommand("curl", curl("--limit-rate", "4M", "--http1.1"))
            // The connection is idle between two notes while the client reads slowly.
            let end = Statement(
                """
                -- name: test_end_export
                select count(pg_terminate_backend(pid)) as count from pg_stat_activity
                where datname = 'almanac_development' and state = 'idle in transaction' and query like '-- name: note%'
                """)
            let observer = try Connection(database)
            #expect(
                try eventually(within: .seconds(60)) {
                    try download.outputBytes.count > 1 << 20 && observer.run(end)[0].integer("count") > 0
                })
            let status = try #require(download.wait(upTo: .seconds(280)))
            #expect(status != 0 && download.outputBytes.count < 120 << 20)
            #expect(!String(decoding: download.outputBytes.suffix(2), as: UTF8.self).hasSuffix("]}"))
            #expect(
                try eventually(within: .seconds(60)) { try user.client().send("GET", "notes?limit=1").status == 200 })
        }
    }
}
