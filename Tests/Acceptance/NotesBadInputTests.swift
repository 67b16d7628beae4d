import AlmanacJSON
import AlmanacTestSupport
import Testing

/// A call that must be refused, with the expected outcome.
private struct Refusal: CustomTestStringConvertible, Sendable {
    let method: String
    let path: String
    var headers: [(String, String)] = []
    var body: [UInt8]?
    let outcome: String

    var testDescription: String {
        let shown = String(decoding: (body ?? []).prefix(60), as: UTF8.self)
        return "\(method) \(path.prefix(60)) \(shown) → \(outcome)"
    }

    static func get(_ path: String, _ outcome: String, _ headers: [(String, String)] = []) -> Refusal {
        Refusal(method: "GET", path: path, headers: headers, outcome: outcome)
    }

    static func send(
        _ method: String, _ path: String, _ body: String?, _ outcome: String, _ headers: [(String, String)] = []
    ) -> Refusal {
        Refusal(method: method, path: path, headers: headers, body: body.map { Array($0.utf8) }, outcome: outcome)
    }
}

/// An action that must be rejected, with the expected problem.
private struct Rejection: CustomTestStringConvertible, Sendable {
    let action: String
    let problem: String

    init(_ action: String, _ problem: String) { (self.action, self.problem) = (action, problem) }

    /// Returns an update of the note n1, whose body is `a😸b`.
    static func body(_ delta: String, _ problem: String) -> Rejection {
        Rejection(#"["updateNote",{"action_id":"a","id":"n1","base":1,"body":\#(delta)}]"#, problem)
    }

    static func create(_ members: String, _ problem: String) -> Rejection {
        Rejection(#"["createNote",{\#(members)}]"#, problem)
    }

    var testDescription: String { "\(action.prefix(100)) → \(problem)" }
}

extension Live {
    @Suite struct NotesBadInputTests {
        private let alice: NotesClient

        init() throws {
            alice = try NotesUser().client()
            try alice.create(("n1", "a😸b"))
        }

        private static let deltas: [Rejection] = [
            .body("[]", "delta-mismatch"),
            .body("[3]", "delta-mismatch"),
            .body("[5]", "delta-mismatch"),
            .body("[-5]", "delta-mismatch"),
            .body("[4,-1]", "delta-mismatch"),
            .body(#"[4,"x",1]"#, "delta-mismatch"),
            .body(#"[2,"x",2]"#, "delta-mismatch"),
            .body("[1,-1,2]", "delta-mismatch"),
            .body("[2,-1,1]", "delta-mismatch"),
            .body("[9223372036854775807,9223372036854775807]", "invalid-value"),
            .body("[-9223372036854775808]", "invalid-value"),
            .body("[-9223372036854775808,-9223372036854775808]", "invalid-value"),
            .body("[99999999999999999999]", "invalid-value"),
            .body("[1.5]", "invalid-value"),
            .body("[4,null]", "invalid-value"),
            .body("[[4]]", "invalid-value"),
            .body(#"[[2,"a😸b"]]"#, "invalid-value"),
            .body(#"[[0,"a😸b"],4]"#, "invalid-value"),
            .body(#"[[0,"a😸c"]]"#, "delta-mismatch"),
            .body(#"[[0,"a😸"],[-1,"c"]]"#, "delta-mismatch"),
            .body(#""=5""#, "delta-mismatch"),
            .body(#""=2\t+x\t=2""#, "delta-mismatch"),
            .body(#""=-4""#, "invalid-value"),
            .body(#""4""#, "invalid-value"),
            .body(#""=4\t+%ff""#, "invalid-value"),
            .body("7", "invalid-value"),
            .body("{}", "invalid-value"),
            .body(#"[4,"a\#(large)"]"#, "limit-exceeded"),
        ]

        private static let large = String(repeating: "x", count: 1 << 20)
        private static let long = String(repeating: "i", count: 129)

        private static let actions: [Rejection] = [
            .init("null", "invalid-value"), .init("{}", "invalid-value"), .init("[]", "invalid-value"),
            .init(#"["createNote"]"#, "invalid-value"), .init(#"["createNote","n2"]"#, "invalid-value"),
            .init(#"["createNote",{},{}]"#, "invalid-value"), .init(#"["eraseNote",{"id":"n1"}]"#, "invalid-value"),
            .init(#"["CREATENOTE",{"id":"n2"}]"#, "invalid-value"), .init(#"["deleteNote",null]"#, "invalid-value"),
            .create("", "invalid-value"),
            .create(#""id":"""#, "invalid-value"), .create(#""id":7"#, "invalid-value"),
            .create(#""id":"a b""#, "invalid-value"), .create(#""id":"é""#, "invalid-value"),
            .create(#""id":"\#(long.prefix(65))""#, "invalid-value"),
            .create(#""id":"n2","action_id":"""#, "invalid-value"),
            .create(#""id":"n2","action_id":"a b""#, "invalid-value"),
            .create(#""id":"n2","action_id":"\#(long)""#, "invalid-value"),
            .create(#""id":"n2","action_id":7"#, "invalid-value"),
            .create(#""id":"n2","text":"misspelt""#, "invalid-value"),
            .create(#""id":"n2","title":7"#, "invalid-value"),
            .create(#""id":"n2","title":null"#, "invalid-value"),
            .create(#""id":"n2","title":"\#(large.prefix(1025))""#, "limit-exceeded"),
            .create(#""id":"n2","title":"é\#(large.prefix(1023))""#, "limit-exceeded"),
            .create(#""id":"n2","body":"x\#(large)""#, "limit-exceeded"),
            .create(#""id":"n2","after":"gone""#, "note-gone"),
            .create(#""id":"n1""#, "note-exists"),
            .init(#"["updateNote",{"id":"n1","base":1}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","body":[4,"x"]}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","base":-1,"body":[4,"x"]}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","base":1.5,"body":[4,"x"]}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","base":0,"body":[4,"x"]}]"#, "delta-mismatch"),
            .init(#"["updateNote",{"id":"n1","base":3,"body":[4,"x"]}]"#, "delta-mismatch"),
            .init(#"["updateNote",{"id":"n1","base":"1.zzzz","body":[4,"x"]}]"#, "resync"),
            .init(#"["updateNote",{"id":"n2","base":1,"body":["x"]}]"#, "note-gone"),
            .init(#"["updateNote",{"id":"n1","base":1,"title":[2,"\#(large.prefix(1023))"]}]"#, "limit-exceeded"),
            .init(#"["moveNote",{"id":"n1"}]"#, "invalid-value"),
            .init(#"["moveNote",{"id":"n1","after":"n1"}]"#, "invalid-value"),
            .init(#"["deleteNote",{"id":"n1","base":9}]"#, "delta-mismatch"),
            .init(#"["restoreNote",{"id":"n1","revision":9}]"#, "delta-mismatch"),
            .init(#"["purgeNote",{"id":"n2"}]"#, "note-gone"),
            .init(#"["createNote",{"id":"n2","body":"a\u0000b"}]"#, "invalid-value"),
            .init(#"["createNote",{"id":"n2","body":"\ud83d"}]"#, "invalid-value"),
            .init(#"["createNote",{"id":"n2","body":"\ude38\ud83d"}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","base":1,"body":[4,"\ud83d"]}]"#, "invalid-value"),
            .init(#""\u0000""#, "invalid-value"),
            .create(#""id":"n2","tags":"work""#, "invalid-value"), .create(#""id":"n2","tags":[7]"#, "invalid-value"),
            .create(#""id":"n2","tags":[""]"#, "invalid-tag"), .create(#""id":"n2","tags":["a\tb"]"#, "invalid-tag"),
            .create(#""id":"n2","tags":["\#(long.prefix(65))"]"#, "invalid-tag"),
            .create(#""id":"n2","tags":["\ud83d"]"#, "invalid-value"),
            .create(#""id":"n2","tags":["a\u0000"]"#, "invalid-value"),
            .create(#""id":"n2","tags":[\#(thirtyThree)]"#, "too-many-tags"),
            .create(#""id":"n2","pinned":null"#, "invalid-value"),
            .create(#""id":"n2","created_at":"2019""#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","tags":["work"]}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","tags":{"set":["work"]}}]"#, "invalid-value"),
            .init(#"["updateNote",{"id":"n1","tags":{"add":["a"],"remove":["a"]}}]"#, "invalid-tag"),
            .init(#"["updateNote",{"id":"n1","tags":{"add":[\#(thirtyThree)]}}]"#, "too-many-tags"),
            .init(#"["updateNote",{"id":"n1","base":3,"tags":{"add":["a"]}}]"#, "delta-mismatch"),
            .init(#"["updateNote",{"id":"n1","base":"1.zzzz","pinned":true}]"#, "resync"),
            .init(#"["updateNote",{"id":"n2","pinned":true}]"#, "note-gone"),
            .init(#"["moveNote",{"id":"n1","after":null,"pinned":true}]"#, "invalid-value"),
        ]

        private static let thirtyThree = (0..<33).map { "\"t\($0)\"" }.joined(separator: ",")

        @Test(arguments: deltas + actions)
        fileprivate func `an action that cannot be done changes nothing, and those around it are`(
            rejection: Rejection
        ) throws {
            let before = try alice.body("n1")
            let results = try alice.act(
                #"[["createNote",{"id":"before"}],\#(rejection.action),["createNote",{"id":"after"}]]"#)
            #expect(results.map(\.outcome) == ["applied", "rejected \(rejection.problem)", "applied"])
            #expect(results[1]["problem"]?.objectValue?.text("detail")?.isEmpty == false)
            #expect(try alice.order() == ["n1", "before", "after"])
            #expect(try alice.body("n1") == before)
            #expect(try alice.revision() == 3)
        }

        private static func batch(_ body: String, _ outcome: String) -> Refusal {
            .send("POST", "notes", body, outcome)
        }

        private static let batches: [Refusal] = [
            batch("", "400 invalid-json"),
            batch("[", "400 invalid-json"),
            batch(#"[["createNote",{"id":"n2","id":"n3"}]]"#, "400 invalid-json"),
            batch("{}", "422 invalid-value"),
            batch(#"[["createNote",{"id":"n2","body":"a\u0000b"}]"#, "400 invalid-json"),
            batch("[[\"createNote\",{\"id\":\"n2\",\"body\":\"a\u{0}b\"}]]", "422 invalid-value"),
            batch(String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "422 limit-exceeded"),
            batch("[" + String(repeating: "0,", count: 500) + "0]", "422 limit-exceeded"),
            batch(
                #"[["createNote",{"id":"n2","body":"\#(String(repeating: large, count: 4))"}]]"#, "413 body-too-large"),
            Refusal(
                method: "POST", path: "notes",
                body: Array(#"[["createNote",{"id":"n2","body":""#.utf8) + [0xFF, 0x22, 0x7D, 0x5D, 0x5D],
                outcome: "400 invalid-json"),
            Refusal(
                method: "POST", path: "notes",
                body: Array(#"[["createNote",{"id":"n2","body":""#.utf8) + [0xED, 0xA0, 0xBD, 0x22, 0x7D, 0x5D, 0x5D],
                outcome: "400 invalid-json"),
            .send("POST", "notes", "[]", "415 unsupported-media-type", [("Content-Type", "text/plain")]),
        ]

        private static let calls: [Refusal] = [
            .send("PUT", "notes/n2", "[]", "422 invalid-value"), .send("PUT", "notes/n2", "{}", "422 invalid-value"),
            .send("PUT", "notes/n2", #"{"body":"x","id":"n2"}"#, "422 invalid-value"),
            .send("PUT", "notes/n2", #"{"body":"a\u0000b"}"#, "422 invalid-value"),
            .send("PATCH", "notes/n1", #"{"base":1,"body":[4,"\ud83d"]}"#, "422 invalid-value"),
            .send("PUT", "notes/n2", #"{"body":"x"}"#, "404 note-gone", [("If-Match", "\"1\"")]),
            .send("PUT", "notes/n2", #"{"body":"x\#(large)"}"#, "422 limit-exceeded"),
            .send("PUT", "notes/n1", #"{"body":"x"}"#, "400 invalid-header", [("If-Match", "1 2")]),
            .send("PUT", "notes/n1", #"{"body":"x"}"#, "400 invalid-header", [("If-Match", "\"x\"")]),
            .send("PUT", "notes/n1", #"{"body":"x"}"#, "422 delta-mismatch", [("If-Match", "\"7\"")]),
            .send("PUT", "notes/n1", #"{"body":"x"}"#, "410 resync", [("If-Match", "\"1.zzzz\"")]),
            .send("PUT", "notes/a%20b", #"{"body":"x"}"#, "400 invalid-key"),
            .send("PUT", "notes/\(long.prefix(65))", #"{"body":"x"}"#, "400 invalid-key"),
            .send("PATCH", "notes/n1", #"{"base":1,"body":[5]}"#, "422 delta-mismatch"),
            .send("PATCH", "notes/n1", #"{"body":[4,"x"]}"#, "422 invalid-value"),
            .send("DELETE", "notes/n2", nil, "404 note-gone"),
            .send("DELETE", "notes/n1?purge=yes", nil, "400 invalid-parameter"),
            .send("DELETE", "notes/n1?action_id=", nil, "400 invalid-parameter"),
            .send("DELETE", "notes/n1?force=true", nil, "400 invalid-parameter"),
            .send("POST", "notes/n1/restore", #"{"revision":"x"}"#, "422 invalid-value"),
            .send("POST", "notes/n2/restore", nil, "404 note-gone"),
            .send("DELETE", "notes", nil, "405 method-not-allowed"),
            .send("PUT", "notes", "[]", "405 method-not-allowed"),
            .send("POST", "notes/n1", "{}", "405 method-not-allowed"),
            .send("DELETE", "notes/n1/history", nil, "405 method-not-allowed"),
            .send("POST", "account", "{}", "405 method-not-allowed"),
            .send("BREW", "notes/n1", nil, "405 method-not-allowed"),
        ]

        private static let reads: [Refusal] = [
            .get("notes?limit=0", "400 invalid-parameter"), .get("notes?limit=1001", "400 invalid-parameter"),
            .get("notes?since=x", "400 invalid-parameter"), .get("notes?since=-1", "400 invalid-parameter"),
            .get("notes?since=2", "410 resync"), .get("notes?since=1&q=x", "400 invalid-parameter"),
            .get("notes?next=zzz", "400 invalid-parameter"), .get("notes?form=x", "400 invalid-parameter"),
            .get("notes?newest=1", "400 invalid-parameter"), .get("notes?sicne=1", "400 invalid-parameter"),
            .get("notes?q=\(large.prefix(1001))", "400 invalid-parameter"),
            .get("notes?q=%00", "400 invalid-parameter"),
            .get("notes?q=%ff", "400 invalid-parameter"),
            .get("notes", "406 not-acceptable", [("Accept", "text/html")]),
            .get("notes/a%20b", "400 invalid-key"), .get("notes/n1?revision=x", "400 invalid-parameter"),
            .get("notes/n1?revision=9", "422 delta-mismatch"), .get("notes/n1?revision=0", "422 delta-mismatch"),
            .get("notes/n1/history?limit=0", "400 invalid-parameter"), .get("notes/n2", "404 note-gone"),
            .get("notes?tag=", "400 invalid-parameter"), .get("notes?tag=a%0Ab", "400 invalid-parameter"),
            .get("notes?q=tag:\(large.prefix(65))", "400 invalid-parameter"),
            .get("notes?tag=a&form=trash", "400 invalid-parameter"),
            .get("notes/n1/restore", "405 method-not-allowed"), .get("notes/n1/", "404 not-found"),
        ]

        @Test(arguments: batches + calls + reads)
        fileprivate func `a call that makes no sense is refused, and nothing is written`(refusal: Refusal) throws {
            let before = try alice.send("GET", "account")
            let answer = try alice.http.send(
                refusal.method, "/development/\(refusal.path)", headers: refusal.headers, body: refusal.body)
            #expect(answer.outcome == refusal.outcome, "\(answer.text)")
            let after = try alice.send("GET", "account")
            #expect(after.body == before.body)
        }

        @Test func `a million lines are refused, and 400,000 are taken, edited and merged in seconds`() throws {
            let refused = try alice.send(
                "PUT", "notes/million", #"{"body":"\#(String(repeating: #"x\n"#, count: 1_000_000))"}"#)
            #expect(refused.outcome == "422 limit-exceeded")

            let clock = ContinuousClock()
            let lines = (0..<400_000).map { $0.isMultiple(of: 4) ? "ab" : "\($0 % 10)" }
            let text = lines.joined(separator: "\n")
            #expect((890_000...910_000).contains(text.utf8.count))
            func timed(_ what: String, _ body: () throws -> [String]) throws {
                var outcome: [String] = []
                let time = try clock.measure { outcome = try body() }
                #expect(outcome == [what])
                #expect(time < .seconds(5), "\(what)")
            }
            try timed("201") { try [alice.send("PUT", "notes/n2", #"{"body":\#(JSONValue.string(text))}"#).outcome] }
            let edit = #"["first\n",\#(text.utf16.count)]"#
            try timed("applied") { try alice.outcomes(#"[["updateNote",{"id":"n2","base":2,"body":\#(edit)}]]"#) }
            // A whole text makes the server compute the two changes itself.
            var mine = lines
            (mine[200_000], mine[300_000]) = ("changed", "changed too")
            let whole = "\(JSONValue.string(mine.joined(separator: "\n")))"
            try timed("200") {
                try [alice.send("PUT", "notes/n2", #"{"body":\#(whole)}"#, headers: [("If-Match", "\"2\"")]).outcome]
            }
            let merged = try #require(try alice.body("n2"))
            #expect(merged.utf8.elementsEqual("first\n\(mine.joined(separator: "\n"))".utf8))
        }
    }
}
