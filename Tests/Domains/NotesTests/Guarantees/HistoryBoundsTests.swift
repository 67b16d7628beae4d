import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests the quota of past texts, the order in which texts are thinned out, and the texts that never are.
@Suite(.database(.migrated)) struct HistoryBoundsTests {
    /// Creates an environment with a quota of past texts per account, in bytes.
    private func instance(history bytes: Int64) throws -> NotesInstance {
        var limits = Limits()
        limits.historyBytes = bytes
        return try NotesInstance(limits: limits)
    }

    /// Returns a body of about 3,000 bytes, different for each number.
    private func body(_ number: Int) -> String {
        String((("\(number) " + String(repeating: "é", count: 1500)).prefix(1500)))
    }

    private func put(_ number: Int, _ note: String = "n1", on instance: NotesInstance) throws {
        let content: JSONValue = ["body": .string(body(number))]
        let changed = try instance.call("PUT", "/notes/\(note)", "\(content)", as: "alice", ("If-Match", "*"))
        if changed.problem == "note-gone" {
            try instance.call("PUT", "/notes/\(note)", "\(content)").expecting(201)
        } else {
            try changed.expecting(200)
        }
    }

    private func restore(_ revision: Int, _ note: String = "n1", on instance: NotesInstance) throws -> NotesResponse {
        try instance.call("POST", "/notes/\(note)/restore", #"{"revision": \#(revision)}"#)
    }

    /// Returns the revisions of a note whose bodies are still stored, the newest first.
    private func storedRevisions(_ note: String = "n1", _ instance: NotesInstance) throws -> [Int64] {
        let history = try instance.call("GET", "/notes/\(note)/history?limit=1000").expecting(200)
        return try #require(history[member: "history"]?.arrayValue).compactMap(\.objectValue)
            .filter { $0["body"] != nil }.compactMap { $0.number("revision") }
    }

    /// Checks that every account's sum equals the sum of its rows.
    private func expectExactSums(_ instance: NotesInstance) throws {
        let rows = try instance.query(
            "sums",
            """
            select a.history_bytes, coalesce(sum(note_history_bytes(r.title, r.body)), 0)::bigint as summed
            from accounts a left join note_revisions r on r.account_id = a.id group by a.id
            """)
        for row in rows { #expect(try row.bigint("history_bytes") == row.bigint("summed")) }
    }

    @Test func `fifty restores in one small request don't take more than the history may have`() throws {
        let instance = try instance(history: 20_000)
        try put(1, on: instance)
        try put(2, on: instance)
        let actions = (0..<50).map { #"["restoreNote", {"id": "n1", "revision": \#(1 + $0 % 2)}]"# }
        let results = try instance.act("[" + actions.joined(separator: ",") + "]")
        // After a while only the restored copy of a text is left, and the text's first revision is no longer stored.
        #expect(Set(results.map(\.outcome)) == ["applied", "rejected revision-not-kept"])
        let rows = try instance.query(
            "taken", "select sum(octet_length(body))::bigint as bytes from note_revisions where body is not null")
        #expect(try rows[0].bigint("bytes") <= 20_000 + 3000)
        // The newest copies of the restored texts are stored.
        let texts = try Set(
            storedRevisions("n1", instance).prefix(2).map { try instance.call("GET", "/notes/n1?revision=\($0)").body })
        #expect(texts.count == 2)
        try expectExactSums(instance)
    }

    @Test func `past texts are counted with every action, and let go of with their note`() throws {
        let instance = try instance(history: 1 << 30)
        try put(1, on: instance)
        try put(2, on: instance)
        try instance.create(("n2", "short"))
        _ = try restore(1, on: instance).expecting(200)
        try instance.act(#"[["moveNote", {"id": "n1", "after": "n2"}], ["deleteNote", "n2"]]"#)
        try expectExactSums(instance)
        let account = try instance.call("GET", "/account").expecting(200)
        #expect(account[member: "history_bytes"]?.numberValue?.int64 ?? 0 > 9000)
        try instance.act(#"[["purgeNote", {"id": "n1"}]]"#)
        try expectExactSums(instance)
        #expect(try instance.query("left", "select history_bytes from accounts")[0].bigint("history_bytes") == 1024)
    }

    @Test func `past texts count towards the account's bytes, and give way to present ones`() throws {
        var limits = Limits()
        (limits.accountBytes, limits.historyBytes) = (60_000, 160_000)
        let instance = try NotesInstance(limits: limits)
        func usage() throws -> (present: Int64, all: Int64) {
            let row = try instance.query("usage", "select bytes, history_bytes from accounts")[0]
            return (try row.bigint("bytes"), try row.bigint("history_bytes"))
        }
        for number in 1...30 { try put(number, on: instance) }
        #expect(try (30_000...60_000).contains(usage().all))
        // The current texts grow to the last byte of the account's quota.
        for note in 2...20 { try put(1, "n\(note)", on: instance) }
        #expect(try usage().present > 59_900)
        // Even a full account retains some history, so that a mistake can be undone.
        #expect(try storedRevisions("n1", instance).count > 1 && usage().all <= 60_000 + 10_000)
        #expect(try instance.body("n1") == body(30))
        let full = try instance.call("PUT", "/notes/n21", #"{"body": "\#(body(1))"}"#).expecting(422)
        #expect(full.outcome == "422 limit-exceeded")
        let mistake = try #require(storedRevisions("n1", instance).dropFirst().first)
        _ = try restore(Int(mistake), on: instance).expecting(200)
        try put(31, on: instance)
        try expectExactSums(instance)
        let account = try instance.call("GET", "/account").expecting(200)
        #expect(account[member: "bytes"]?.numberValue?.int64 == (try usage().present))
        #expect(account[member: "history_bytes"]?.numberValue?.int64 == (try usage().all))
    }

    @Test func `the history of an account from before is counted at its next change`() throws {
        let instance = try instance(history: 1 << 30)
        try put(1, on: instance)
        try Connection(instance.database.settings).execute(script: "update accounts set history_bytes = null")
        #expect(try instance.call("GET", "/account").expecting(200)[member: "history_bytes"] == nil)
        try put(2, on: instance)
        try expectExactSums(instance)
    }

    @Test func `texts of one hour become one first, then those of one day, then the oldest go`() throws {
        let instance = try instance(history: 60 * 3000)
        // The history has 25 texts within an hour, and a day later 25 texts within two hours.
        for number in 1...50 { try put(number, on: instance) }
        try Connection(instance.database.settings).execute(
            script: """
                update note_revisions set recorded_at = date_trunc('day', clock_timestamp(), 'UTC')
                    + case when revision <= 25 then revision * interval '1 minute' - interval '3 days'
                        else (revision - 25) * interval '4 minutes' - interval '2 days' end
                """)
        let tight = try NotesInstance(on: instance.database, limits: limits(12 * 3000))
        try put(51, on: tight)
        // Each thinned hour retains its last text, and the next hour retains its later texts.
        let first = try storedRevisions("n1", tight)
        #expect(first.filter { $0 <= 39 } == [39, 25] && first.prefix(5) == [51, 50, 49, 48, 47], "\(first)")
        #expect(first.count <= 13, "\(first)")
        let tighter = try NotesInstance(on: instance.database, limits: limits(3 * 3000))
        try put(52, on: tighter)
        #expect(try storedRevisions("n1", tighter) == [52, 51, 50])
        let tightest = try NotesInstance(on: instance.database, limits: limits(3000))
        try put(53, on: tightest)
        #expect(try storedRevisions("n1", tightest) == [53, 52] || storedRevisions("n1", tightest) == [53])
        try expectExactSums(tightest)
        // The history still lists every action.
        let history = try tightest.call("GET", "/notes/n1/history?limit=1000")[member: "history"]?.arrayValue
        #expect(history?.count == 53)
        #expect(history?.last?.objectValue?["thinned"] == .some(true))
    }

    private func limits(_ bytes: Int64) -> Limits {
        var limits = Limits()
        limits.historyBytes = bytes
        return limits
    }

    @Test func `the newest text and texts that a person went back to are never thinned out`() throws {
        let instance = try instance(history: 4 * 3000)
        for note in ["n1", "n2", "n3"] { try put(1, note, on: instance) }
        for number in 2...4 { try put(number, on: instance) }
        let restored = try restore(1, on: instance).expecting(200)[member: "revision"]?.numberValue?.int64
        for number in 5...40 { try put(number, on: instance) }
        #expect(try storedRevisions("n1", instance).contains(#require(restored)))
        #expect(
            try instance.call("GET", "/notes/n1?revision=\(try #require(restored))")[member: "body"] == .string(body(1))
        )
        #expect(try instance.body("n1") == body(40) && instance.body("n2") == body(1) && instance.body("n3") == body(1))
        #expect(try storedRevisions("n2", instance) == [2] && storedRevisions("n3", instance) == [3])
        try expectExactSums(instance)
    }

    @Test func `a title that belongs to a text that was gone back to is kept with it`() throws {
        let instance = try instance(history: 3 * 3000)
        try instance.call("PUT", "/notes/n1", #"{"title": "Groceries", "body": "milk"}"#).expecting(201)
        try put(2, on: instance)
        let restored = try #require(try restore(1, on: instance).expecting(200)[member: "revision"]?.numberValue?.int64)
        try instance.call("PUT", "/notes/n1", #"{"title": "Another"}"#, as: "alice", ("If-Match", "*")).expecting(200)
        for number in 3...20 { try put(number, on: instance) }
        let text = try instance.call("GET", "/notes/n1?revision=\(restored)").expecting(200)
        #expect(text[member: "title"] == "Groceries" && text[member: "body"] == "milk")
    }

    @Test func `texts that were gone back to fill the history, and then edits go on and no more come`() throws {
        let instance = try instance(history: 4 * 3000)
        var outcomes: [String] = []
        for number in 1...12 {
            try put(number, on: instance)
            let revision = try #require(try instance.call("GET", "/notes/n1")[member: "revision"]?.numberValue?.int64)
            try put(100 + number, on: instance)
            outcomes.append(try restore(Int(revision), on: instance).outcome)
        }
        #expect(outcomes.prefix(3).allSatisfy { $0 == "200" } && outcomes.last == "422 limit-exceeded")
        try put(50, on: instance)
        #expect(try instance.body("n1") == body(50))
        try expectExactSums(instance)
        // A purge frees space.
        try instance.act(#"[["purgeNote", {"id": "n1"}]]"#)
        try put(1, "n2", on: instance)
        let first = try #require(try instance.call("GET", "/notes/n2")[member: "revision"]?.numberValue?.int64)
        try put(2, "n2", on: instance)
        _ = try restore(Int(first), "n2", on: instance).expecting(200)
    }

    @Test func `an edit of a text that was thinned out is refused, and never put onto another text`() throws {
        let instance = try instance(history: 2 * 3000)
        for number in 1...20 { try put(number, on: instance) }
        for action in [
            #"["updateNote", {"id": "n1", "base": 5, "body": [750, "x", 750]}]"#,
            #"["updateNote", {"id": "n1", "base": 5, "body": [1500, "x"]}]"#,
        ] {
            let result = try instance.act("[\(action)]")[0]
            #expect(result.outcome == "rejected revision-not-kept")
            let detail = result["problem"]?.objectValue?.text("detail") ?? ""
            #expect(detail.contains("was removed to make room") && detail.contains("as a diff list"), "\(detail)")
        }
        #expect(try instance.call("GET", "/notes/n1?revision=5").outcome == "410 revision-not-kept")
        #expect(try restore(5, on: instance).outcome == "410 revision-not-kept")
        #expect(try instance.body("n1") == body(20))
        // With the base included as a diff list, the edit is merged with the later changes.
        let spelled: JSONValue = [["updateNote", ["id": "n1", "body": [[0, .string(body(5))], [1, "x"]]]]]
        #expect(try instance.act("\(spelled)")[0].outcome == "merged")
        let merged = try #require(try instance.body("n1"))
        #expect(merged.hasPrefix("20 ") && merged.hasSuffix("x"))
        // An edit based on a stored text is merged as usual.
        let known = #"[["updateNote", {"id": "n1", "base": 21, "body": ["y", \#(merged.utf16.count)]}]]"#
        #expect(try instance.act(known)[0].outcome == "applied")
    }

    @Test func `thinning looks at few rows for one edit, and frees as much as comes`() throws {
        let instance = try instance(history: 1 << 30)
        try put(1, on: instance)
        // The account gets a history of 20,000 small texts, which exceeds its quota.
        try Connection(instance.database.settings).execute(
            script: """
                insert into note_revisions (account_id, note_id, revision, action, body, recorded_at)
                select id, 'n1', g, 'updateNote', g::text,
                    clock_timestamp() - interval '30 days' + g * interval '1 second'
                from accounts, generate_series(2, 20000) g;
                update accounts set revision = 20000,
                    history_bytes = (select sum(note_history_bytes(title, body)) from note_revisions);
                analyze note_revisions
                """)
        let tight = try NotesInstance(on: instance.database, limits: limits(1 << 20))
        func storedBodyCount() throws -> Int {
            try tight.query("rest", "select count(*) as count from note_revisions where body is not null")[0].integer(
                "count")
        }
        var before = try storedBodyCount()
        var rounds = 0
        while before > 1100, rounds < 100 {
            try put(rounds, on: tight)
            let after = try storedBodyCount()
            // An action thins at most the rows that it reads, and always more than it adds.
            #expect(after < before && before - after <= 2500, "\(before) became \(after)")
            (before, rounds) = (after, rounds + 1)
        }
        #expect(before <= 1100)
        try expectExactSums(tight)
    }
}
