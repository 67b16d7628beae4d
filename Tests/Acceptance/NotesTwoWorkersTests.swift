import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of copies of one action on two workers at the same moment.
    @Suite struct NotesTwoWorkersTests {
        private let user: NotesUser
        private let other: SecondWorker

        init() throws {
            user = try NotesUser()
            other = try SecondWorker(beside: user.instance)
        }

        /// Each action runs on an account with the notes n1 (created by revision 1) and n2.
        @Test(arguments: [
            #"["createNote", {"action_id": "a", "id": "n9", "body": "new"}]"#,
            #"["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [4, "!"]}]"#,
            #"["moveNote", {"action_id": "a", "id": "n1", "after": "n2"}]"#,
            #"["deleteNote", {"action_id": "a", "id": "n1", "base": 1}]"#,
            #"["purgeNote", {"action_id": "a", "id": "n1"}]"#,
        ])
        func `an action takes effect once, and both workers answer the same`(action: String) throws {
            try user.client().create(("n1", "milk"), ("n2", ""))
            let answers = try atTheSameMoment { try $0.act("[\(action)]")[0] }
            #expect(answers.map { $0.text("status") ?? "?" }.sorted() == ["applied", "duplicate"])
            let applied = try #require(answers.first { $0.text("status") == "applied" })
            let firsts = answers.compactMap { $0["first"]?.objectValue }
            let first = try #require(firsts.first)
            #expect(first.text("status") == "applied" && first.number("revision") == 3)
            #expect(applied.number("revision") == 3)
            #expect(answers[0].text("id") == answers[1].text("id"))
            // Each worker reads the changes of both.
            let notes = try [user.client(), other.client(user)].map { try $0.send("GET", "notes") }
            #expect(notes[0].body == notes[1].body)
            #expect(notes[0].revision == 3)
        }

        @Test func `the first action of a user makes one account`() throws {
            let action = #"["createNote", {"action_id": "a", "id": "n1", "body": "new"}]"#
            let (user, other) = (user, other)
            let statuses = try concurrently(16) { index in
                let client = index.isMultiple(of: 2) ? user.client() : other.client(user)
                return try client.act("[\(action)]")[0].text("status") ?? "?"
            }
            #expect(statuses.sorted() == ["applied"] + Array(repeating: "duplicate", count: 15))
            #expect(try user.client().revision() == 1)
        }

        /// Sends a request to each worker, and releases the account's lock only when both requests wait for it.
        private func atTheSameMoment(
            _ body: @escaping @Sendable (NotesClient) throws -> JSONObject
        ) throws -> [JSONObject] {
            let database = ConnectionSettings(conninfo: "\(try TestCluster.conninfo) dbname=almanac_development")
            let (user, other) = (user, other)
            let isLocked = Monitor(false)
            return try concurrently(3) { index in
                if index < 2 {
                    _ = isLocked.wait(upTo: .seconds(30)) { $0 ? true : nil }
                    return try body(index == 0 ? user.client() : other.client(user))
                }
                try Connection(database).transaction { holder in
                    try holder.run(lock, .text(user.subject))
                    isLocked.update { $0 = true }
                    let bothWait = try eventually(within: .seconds(20)) {
                        // Use a connection outside of the transaction, in which pg_stat_activity is a fixed snapshot.
                        let watcher = try Connection(database)
                        return try watcher.run(waiting, .integer(holder.processID))[0].integer("sessions") == 2
                    }
                    if !bothWait { throw InstanceFailure(description: "the workers do not both wait for the account") }
                }
                return nil
            }.compactMap(\.self)
        }
    }
}

private let lock = Statement(
    """
    -- name: test_lock_account
    select id from accounts where subject = $1 for update
    """)

/// Counts the sessions that wait for this session, directly or through other sessions.
private let waiting = Statement(
    """
    -- name: test_waiting_sessions
    with recursive behind (pid) as (
        select $1 union
        select a.pid from pg_stat_activity a join behind b on b.pid = any (pg_blocking_pids(a.pid))
    )
    select count(*) as sessions from behind b join pg_stat_activity a on a.pid = b.pid where a.pid <> $1
    """)
