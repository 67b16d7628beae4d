import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Checks that a client misses no change, in whatever order transactions commit.
@Suite(.database(.migrated)) struct SinceTests {
    @Test(arguments: [1, 20]) func `a reader misses nothing while 100 writers commit`(accounts: Int) throws {
        let instance = try NotesInstance(connections: 24)
        let users = (0..<accounts).map { "user\($0)" }
        let readers = users.prefix(2)
        let isOver = Monitor(false)
        let seen = Monitor<[String: Set<String>]>([:])
        for user in readers {
            for byTime in [false, true] {
                _ = AlmanacPOSIX.Thread(name: "reader") {
                    let found = try? Self.follow(instance, user, byTime: byTime) { isOver.read(\.self) }
                    seen.update { $0["\(user) \(byTime)"] = found ?? ["the reader failed"] }
                }
            }
        }
        let written = try concurrently(100) { index in
            let user = users[index % accounts]
            return try (0..<3).map { round in
                let id = "n\(index)-\(round)"
                let result = try instance.act(#"[["createNote", {"id": "\#(id)", "body": "x"}]]"#, as: user)[0]
                guard result.outcome == "applied", let revision = result.number("revision") else { throw Unexpected() }
                return (user: user, id: id, revision: revision)
            }
        }.flatMap(\.self)
        isOver.update { $0 = true }
        let count = readers.count * 2
        let all = try #require(
            seen.wait(upTo: .seconds(60)) { $0.count == count ? $0 : nil }, "the readers did not end")
        for user in readers {
            let expected = Set(written.filter { $0.user == user }.map(\.id))
            #expect(all["\(user) false"] == expected)
            #expect(all["\(user) true"] == expected)
        }
        for user in users {
            let revisions = written.filter { $0.user == user }.map(\.revision).sorted()
            #expect(revisions == Array(1...Int64(300 / accounts)), "the revisions of \(user) have gaps")
        }
        let times = try instance.query(
            "times",
            """
            select count(*) as wrong from (
                select recorded_at <= lag(recorded_at) over (partition by account_id order by revision) as is_wrong
                from note_revisions) as pairs where is_wrong
            """)
        #expect(try times[0].integer("wrong") == 0)
    }

    private struct Unexpected: Error {}

    /// Returns the ids of all notes that a client sees by only syncing changes.
    private static func follow(
        _ instance: NotesInstance, _ user: String, byTime: Bool, isOver: () -> Bool
    ) throws -> Set<String> {
        var found: Set<String> = []
        var since = byTime ? "1970-01-01T00:00:00Z" : "0"
        while true {
            let isLast = isOver()
            var hasMore = true
            while hasMore {
                let answer = try instance.call("GET", "/notes?limit=7&since=\(since)", as: user).expecting(200)
                let ids = try answer.order
                found.formUnion(ids)
                hasMore = answer[member: "more"] == .some(true)
                if byTime {
                    since = ids.compactMap { answer.detail($0)?.text("updated_at") }.max() ?? since
                } else {
                    since = answer.cursor
                }
            }
            if isLast { return found }
        }
    }

    @Test func `a delta names changes, moves, deletions and returns`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "1"), ("n2", "2"), ("n3", "3"), ("n4", "4"))
        let cursor = try instance.call("GET", "/notes").cursor
        try instance.act(
            """
            [["updateNote", {"id": "n1", "base": 4, "body": [1, "!"]}], ["moveNote", {"id": "n4", "after": null}],
             ["deleteNote", "n2"], ["deleteNote", "n3"], ["restoreNote", {"id": "n3"}]]
            """)
        let delta = try instance.call("GET", "/notes?since=\(cursor)").expecting(200)
        #expect(try delta.order == ["n4", "n1", "n3"])
        #expect(try delta.deleted == ["n2"])
        #expect(delta.detail("n1")?.text("body") == "1!")
        #expect(delta[member: "revision"] == .some(9))
        #expect(delta[member: "more"] == .some(false) && delta[member: "next"] == nil)
        let rest = try instance.call("GET", "/notes?since=\(delta.cursor)")
        #expect(try rest.order.isEmpty && rest.deleted.isEmpty)
    }

    @Test func `pages of a delta come in the order of revisions, by next and by cursor`() throws {
        let instance = try NotesInstance()
        for index in 0..<10 { try instance.create(("n\(index)", "")) }
        var ids: [String] = []
        var answer = try instance.call("GET", "/notes?since=0&limit=3")
        while true {
            ids += try answer.order
            guard let next = answer[member: "next"]?.stringValue else { break }
            // A client's state at any page's cursor is complete up to that cursor.
            let byCursor = try instance.call("GET", "/notes?limit=1000&since=\(answer.cursor)")
            #expect(try Set(ids + byCursor.order).count == 10)
            answer = try instance.call("GET", "/notes?limit=3&next=\(next)")
        }
        #expect(ids == (0..<10).map { "n\($0)" })
    }

    @Test(arguments: [
        "since=5", "since=2.abcdefgh", "since=2.abcdefghabcdefgh", "next=list.2.abcdefghabcdefgh.a0.1.n1",
    ])
    func `a cursor of another history, or from the future, asks to resync`(query: String) throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""), ("n2", ""))
        #expect(try instance.call("GET", "/notes?\(query)").outcome == "410 resync")
        #expect(try instance.call("GET", "/notes?\(query)", as: "nobody").outcome == "410 resync")
        #expect(try instance.call("GET", "/notes?since=0").outcome == "200")
    }

    @Test func `a cursor older than the history kept asks to resync`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""), ("n2", ""), ("n3", ""))
        let cursors = try ["1", "2", instance.call("GET", "/notes").cursor]
        try Connection(instance.database.settings).execute(script: "update accounts set oldest_revision = 2")
        let outcomes = try cursors.map { try instance.call("GET", "/notes?since=\($0)").outcome }
        #expect(outcomes == ["410 resync", "200", "200"])
    }

    @Test func `a cursor from before the account was erased asks to resync`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""))
        let cursor = try instance.call("GET", "/notes").cursor
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        #expect(try instance.call("GET", "/notes?since=\(cursor)").outcome == "410 resync")
        try instance.create(("n2", ""))
        #expect(try instance.call("GET", "/notes?since=\(cursor)").outcome == "410 resync")
    }
}
