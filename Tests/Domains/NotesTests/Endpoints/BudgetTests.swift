import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacNotesDomain
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Synchronization
import Testing

/// Sends small requests that could cause large responses or much work.
@Suite(.database(.migrated)) struct BudgetTests {
    private static func batch(_ actions: [String]) -> String { "[" + actions.joined(separator: ",") + "]" }

    @Test(arguments: [("x", 3), ("\u{1}", 0)])
    func `past four mebibytes results have id and revision only, and the texts can be read`(
        letter: String, texts: Int
    ) throws {
        let instance = try NotesInstance()
        let create = #"["createNote", {"action_id": "a1", "id": "n1"}]"#
        try instance.act(Self.batch([create]))
        // A control character's JSON escape makes the text larger than a request body may be, so SQL sets it.
        let text = "repeat('\(letter)', 1 << 20)"
        try Connection(instance.database.settings).execute(
            script: "update notes set body = \(text); update note_revisions set body = \(text)")
        let answer = try instance.call("POST", "/notes", Self.batch(Array(repeating: create, count: 20)))
        #expect(answer.response.bytes.count < 5 << 20)
        let results = try answer.results
        #expect(results.map(\.outcome) == Array(repeating: "duplicate", count: 20))
        #expect(results.allSatisfy { $0["revision"]?.numberValue?.int64 == 1 && $0["id"]?.stringValue == "n1" })
        #expect(results.count { $0["note"] != nil } == texts)
        let body = try instance.call("GET", "/notes/n1?revision=1")[member: "body"]?.stringValue
        #expect(body == String(repeating: letter, count: 1 << 20))
    }

    @Test func `a merge whose text has no room is told by its revision`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""))
        // Every edit is based on the first text, so each response would contain all other edits.
        let actions = (0..<12).map { number in
            let text = (0..<9000).map { "\(number)-\($0)\n" }.joined()
            let action: JSONValue = [
                "updateNote", ["action_id": .string("a\(number)"), "id": "n1", "base": 1, "body": [.string(text)]],
            ]
            return "\(action)"
        }
        let merged = try instance.act(Self.batch(actions)).dropFirst()
        #expect(merged.allSatisfy { $0["status"]?.stringValue == "merged" && $0["revision"] != nil })
        #expect(merged.contains { $0["body"] != nil } && merged.contains { $0["body"] == nil })
    }

    @Test(arguments: [BatchTime(elapsed: .zero), BatchTime(computing: .zero)])
    func `a batch that takes too long says what it did, and the rest is sent again`(time: BatchTime) throws {
        let instance = try NotesInstance(batchTime: time)
        let actions = (1...3).map { #"["createNote", {"action_id": "a\#($0)", "id": "n\#($0)"}]"# }
        var results = try instance.act(Self.batch(actions))
        #expect(results.map(\.outcome) == ["applied", "rejected overloaded", "rejected overloaded"])
        #expect(results[1]["problem"]?.objectValue?["status"]?.numberValue?.int64 == 503)
        #expect(results.map { $0["action_id"]?.stringValue } == ["a1", "a2", "a3"])
        results = try instance.act(Self.batch(Array(actions.dropFirst())))
        #expect(results.map(\.outcome) == ["applied", "rejected overloaded"])
    }

    @Test func `a batch of edits of a large text's first revision ends when it has computed for long`() throws {
        let instance = try NotesInstance(batchTime: BatchTime(elapsed: .seconds(60), computing: .seconds(60)))
        let lines = (0..<15_000).map { "- [ ] buy \($0 * 7919 % 10_007) eggs, and call Zoë about the \($0 % 97)th\n" }
        let text = lines.joined()
        try instance.create(("n1", text))
        let other = lines.enumerated().map { $0 % 3 == 0 ? "- [x] done on day \($0)\n" : $1 }.joined()
        let delta: JSONValue = [.string(other), .number(JSONNumber(Int64(-text.utf16.count)))]
        let rewrite: JSONValue = [["updateNote", ["id": "n1", "base": 1, "body": delta]]]
        try #require(try instance.act("\(rewrite)").map(\.outcome) == ["applied"])
        let actions = (1...60).map {
            let delta = #"[\#($0), "x", \#(text.utf16.count - $0)]"#
            return #"["updateNote", {"action_id": "a\#($0)", "id": "n1", "base": 1, "body": \#(delta)}]"#
        }
        let outcomes = try instance.act(Self.batch(actions)).map(\.outcome)
        #expect(outcomes.first == "merged" && outcomes.last == "rejected overloaded", "\(outcomes)")
    }

    @Test func `a batch ends when nobody waits for it any more`() throws {
        let instance = try NotesInstance()
        let actions = (1...9).map { #"["createNote", {"action_id": "a\#($0)", "id": "n\#($0)"}]"# }
        var checkCount = 0
        _ = try instance.call(
            "POST", "/notes", Self.batch(actions),
            isAbandoned: {
                checkCount += 1
                return checkCount == 3
            })
        #expect(try instance.call("GET", "/notes").order == ["n1", "n2", "n3"])
    }

    @Test func `an account is exported in pieces, and no further than somebody takes them`() throws {
        let instance = try NotesInstance()
        let body = String(repeating: "0123456789abcde\n", count: 8 << 10)
        try instance.create(("n1", body), ("n2", body), ("n3", body))
        for number in 0..<8 {
            try instance.act(#"[["updateNote", {"id": "n1", "base": 1, "body": ["\#(number)", \#(body.utf8.count)]}]]"#)
        }
        let whole = try instance.call("GET", "/account").expecting(200)
        #expect(try whole.json.objectValue?["notes"]?.arrayValue?.count == 3)
        let response = try instance.answer("GET", "/account")
        guard case .pieces(let write) = response.body else {
            Issue.record("the response is no stream")
            return
        }
        var maxPieceBytes = 0
        var pieces = 0
        try write {
            maxPieceBytes = max(maxPieceBytes, $0.count)
            pieces += 1
        }
        #expect(maxPieceBytes < 2 * body.utf8.count && pieces > 8)
        pieces = 0
        #expect(throws: ClientGone.self) {
            try write { _ throws(ClientGone) in
                pieces += 1
                if pieces == 2 { throw ClientGone() }
            }
        }
        #expect(pieces == 2)
        // The request must return its database connection to the pool.
        #expect(instance.pool.usage.open == instance.pool.usage.idle)
    }

    @Test func `four mebibytes of objects are no batch`() throws {
        let instance = try NotesInstance()
        let bomb = "[" + String(repeating: "{},", count: 1_300_000) + "{}]"
        #expect(try instance.call("POST", "/notes", bomb).outcome == "422 limit-exceeded")
        let inside = #"[["createNote", {"id": "n1", "body": [\#(String(repeating: "{},", count: 1_300_000)){}]}]]"#
        #expect(try instance.call("POST", "/notes", inside).outcome == "422 limit-exceeded")
    }
}
