import AlmanacEnvironments
import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Runs fifty writers and some followers on one environment, with and without a blocking transaction.
@Suite(.database(.migrated), .serialized) struct ConcurrencyTests {
    private static let writers = 50
    /// The number of writes of each writer, at least 5, because the fifth write removes an entry.
    private static let writes = TestDepth.runs(quick: 5, standard: 6, long: 20)
    /// The number of followers, half by time and half by revision. Each one reads without a pause.
    private static let followers = TestDepth.runs(quick: 4, standard: 4, long: 10)

    @Test func `followers miss nothing of what fifty writers do at once`() throws {
        let instance = try ConfigInstance(connections: 32)
        try write(instance, base: 0)
        try expectOrder(instance, revisions: Self.writers * Self.writes)
    }

    @Test func `nothing is missed behind a release that stays open while all others wait for it`() throws {
        let instance = try ConfigInstance(connections: 32)
        let database = instance.database
        let opened = Monitor(false)
        let blocker = ReleaseWriter(pool: Pool(database.settings(user: TestDatabase.worker), size: 1), limits: Limits())
        let blocked = Monitor<Result<Bool, any Error>?>(nil)
        _ = AlmanacPOSIX.Thread(name: "blocker") {
            let result = Result {
                var sawOthersWait = false
                _ = try blocker.release(.test, keys: ["blocker"]) { _, _, _ in
                    opened.update { $0 = true }
                    sawOthersWait = try Self.waitForWaiters(10, on: database)
                    return [EntryEdit(key: "blocker", value: true, description: nil)]
                }
                return sawOthersWait
            }
            blocked.update { $0 = result }
        }
        try #require(opened.wait(upTo: .seconds(20)) { $0 ? true : nil } == true)
        try write(instance, base: 1)
        let result = try #require(blocked.wait(upTo: .seconds(20)) { $0 })
        #expect(try result.get(), "no ten writers were seen waiting")
        try expectOrder(instance, revisions: Self.writers * Self.writes + 1)
        #expect(instance.snapshot.newest("blocker")?.revision == 1)
    }

    @Test func `nothing is missed beside a transaction that keeps an old view of the database open`() throws {
        let instance = try ConfigInstance(connections: 32)
        try instance.put("before", "1")
        let idle = try Connection(instance.database.settings)
        try idle.execute(script: "begin isolation level repeatable read; select * from config_head")
        try write(instance, base: 1)
        let seen = try idle.run(Statement("-- name: test_old_view\nselect revision from config_head"))
        #expect(try seen.first?.bigint("revision") == 1)
        try idle.execute(script: "commit")
        try expectOrder(instance, revisions: Self.writers * Self.writes + 1)
    }

    /// Runs the writers in parallel with followers that start empty and see every state.
    private func write(_ instance: ConfigInstance, base: Int64) throws {
        let last = base + Int64(Self.writers * Self.writes)
        let isHopeless = Monitor(false)
        let seen = try concurrently(Self.writers + Self.followers) { index -> [Int64] in
            do {
                if index < Self.writers {
                    try Self.write(instance, writer: index)
                    return []
                }
                return try Self.follow(instance.database, byTime: index.isMultiple(of: 2), upTo: last, or: isHopeless)
            } catch {
                // The last revision will never come, so the other threads must not wait for it.
                isHopeless.update { $0 = true }
                throw error
            }
        }
        // Followers that saw only the end state would prove nothing.
        #expect(seen.suffix(Self.followers).contains { $0.count > 2 })
    }

    /// Changes a key of the writer's own, and keys that all writers change, add and remove.
    private static func write(_ instance: ConfigInstance, writer: Int) throws {
        for number in 0..<writes {
            let shared = JSONValue.string("\(writer) \(number)")
            let key = "shared\(number % 3)"
            _ = try instance.service.writer.release(.test, keys: ["own\(writer)", key]) { current, _, _ in
                var edits = [EntryEdit(key: "own\(writer)", value: .number(JSONNumber(number)), description: nil)]
                if writer == 0, number % 5 == 4, current[key] != nil {
                    edits.append(EntryEdit(key: key, value: nil, description: nil))
                } else {
                    edits.append(EntryEdit(key: key, value: shared, description: nil))
                }
                return edits
            }
        }
    }

    /// Follows from an empty cursor, like another worker and its client.
    ///
    /// - Returns: the revisions that it saw.
    private static func follow(
        _ database: TestDatabase, byTime: Bool, upTo last: Int64, or isHopeless: Monitor<Bool>
    ) throws -> [Int64] {
        let store = try SnapshotStore(pool: Pool(database.settings(user: TestDatabase.worker), size: 1))
        var replica: [String: Int64] = [:]
        var revision: Int64 = 0
        var time = Timestamp.earliest
        var seen: [Int64] = []
        while true {
            if isHopeless.read({ $0 }) { throw Missed("another thread failed") }
            try store.refresh()
            let snapshot = store.current.snapshot
            let view = snapshot.view(of: nil)
            let changes = byTime ? view.changed(after: time) : view.changed(after: revision)
            for change in changes {
                guard change.revision > revision else {
                    throw Missed("revision \(change.revision) came after \(revision)")
                }
                replica[change.key] = change.isTombstone ? nil : change.revision
            }
            guard replica == Dictionary(uniqueKeysWithValues: view.live.map { ($0.key, $0.revision) }) else {
                throw Missed("what was followed is not what is there at \(snapshot.head.revision)")
            }
            // A client that syncs by time knows only the newest time it has seen.
            time = max(time, changes.map(\.updatedAt).max() ?? time)
            revision = byTime ? max(revision, changes.map(\.revision).max() ?? revision) : snapshot.head.revision
            if seen.last != snapshot.head.revision { seen.append(snapshot.head.revision) }
            if snapshot.head.revision == last {
                let fresh = try SnapshotStore(pool: Pool(database.settings, size: 1)).current.snapshot
                let differences = snapshot.differences(from: fresh)
                guard differences.isEmpty else { throw Missed("\(differences)") }
                return seen
            }
        }
    }

    private struct Missed: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Waits until a number of sessions are waiting for locks.
    private static func waitForWaiters(_ count: Int, on database: TestDatabase) throws -> Bool {
        let connection = try Connection(database.settings)
        let waiting = Statement(
            """
            -- name: test_waiting
            select count(*) as sessions from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
        return try eventually(within: .seconds(20)) {
            try connection.run(waiting).first?.integer("sessions") ?? 0 >= count
        }
    }

    private func expectOrder(_ instance: ConfigInstance, revisions: Int) throws {
        try instance.service.refresh()
        #expect(instance.snapshot.head.revision == Int64(revisions))
        let rows = try instance.query(
            "test_order",
            """
            select count(*) as releases, min(revision) as first, max(revision) as last,
                count(*) filter (where released_at <= before) as out_of_order,
                count(*) filter (where revision <> previous + 1) as gaps
            from (
                select revision, released_at, lag(released_at) over (order by revision) as before,
                    lag(revision) over (order by revision) as previous
                from config_releases
            ) as ordered
            """)
        let row = try #require(rows.first)
        #expect(try row.integer("releases") == revisions)
        #expect(try row.integer("first") == 1 && row.integer("last") == revisions)
        #expect(try row.integer("out_of_order") == 0 && row.integer("gaps") == 0)
        let strays = try instance.query(
            "test_strays",
            """
            select count(*) as entries from config_entries e join config_releases r using (revision)
            where e.updated_at <> r.released_at
            """)
        #expect(try strays.first?.integer("entries") == 0)
        // Every writer's last write must be stored.
        for writer in 0..<Self.writers {
            let entry = try #require(instance.snapshot.newest("own\(writer)"))
            #expect(entry.value == Array("\(Self.writes - 1)".utf8))
        }
    }
}

extension ReleaseWriter.Intent {
    fileprivate static var test: Self {
        Self(author: Author("test", .token), keys: .all, message: "", precondition: .none)
    }
}
