import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of actions that arrive more than once.
    @Suite struct NotesRepeatTests {
        private let user: NotesUser

        init() throws { user = try NotesUser() }

        /// An action of each kind, for an account with the notes n1 (created by revision 1) and n2.
        private static let actions = [
            #"["createNote", {"action_id": "a", "id": "n9", "body": "new"}]"#,
            #"["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [4, "!"]}]"#,
            #"["updateNote", {"action_id": "a", "id": "n1", "body": [[0, "milk"], [1, "!"]]}]"#,
            #"["moveNote", {"action_id": "a", "id": "n1", "after": "n2"}]"#,
            #"["deleteNote", {"action_id": "a", "id": "n1", "base": 1}]"#,
            #"["restoreNote", {"action_id": "a", "id": "n1"}]"#,
            #"["purgeNote", {"action_id": "a", "id": "n1"}]"#,
        ]

        @Test(arguments: actions) func `an action sent twice changes nothing the second time`(action: String) throws {
            let alice = user.client()
            try alice.create(("n1", "milk"), ("n2", ""))
            let first = try alice.act("[\(action)]")[0]
            #expect(first.outcome.hasPrefix("applied"))
            let before = try alice.send("GET", "notes").body
            let again = try alice.act("[\(action), \(action)]")
            #expect(again.map { $0.text("status") } == ["duplicate", "duplicate"])
            #expect(again[0]["first"]?.objectValue?.number("revision") == first.number("revision"))
            #expect(try alice.send("GET", "notes").body == before)
        }

        @Test(arguments: actions) func `of 20 copies at the same moment one takes effect`(action: String) throws {
            let alice = user.client()
            try alice.create(("n1", "milk"), ("n2", ""))
            let user = user
            let outcomes = try concurrently(20) { _ in
                try user.client().act("[\(action)]")[0].text("status")
            }
            #expect(outcomes.filter { $0 == "applied" }.count == 1)
            #expect(outcomes.filter { $0 == "duplicate" }.count == 19)
            #expect(try alice.revision() <= 3)
        }

        @Test func `single calls take an action_id too`() throws {
            let alice = user.client()
            let calls: [(method: String, path: String, body: String?, headers: [(String, String)])] = [
                ("PUT", "notes/n1", #"{"action_id":"1","body":"milk"}"#, []),
                ("PUT", "notes/n1", #"{"action_id":"2","body":"milk!"}"#, [("If-Match", "\"1\"")]),
                ("PATCH", "notes/n1", #"{"action_id":"3","base":1,"body":["oat ",4]}"#, []),
                ("DELETE", "notes/n1?action_id=4", nil, []),
                ("POST", "notes/n1/restore", #"{"action_id":"5"}"#, []),
            ]
            for call in calls {
                let first = try alice.send(call.method, call.path, call.body, headers: call.headers)
                #expect([200, 201].contains(first.status), "\(first.text)")
                let second = try alice.send(call.method, call.path, call.body, headers: call.headers)
                #expect(second.status == 200)
                #expect(second["status"] == "duplicate")
            }
            #expect(try alice.revision() == 5)
            #expect(try alice.body("n1") == "oat milk!")
        }

        @Test func `an action of alice's says nothing about the same id of bob's`() throws {
            let action = #"[["createNote", {"action_id": "a", "id": "n1", "body": "mine"}]]"#
            #expect(try user.client().outcomes(action) == ["applied"])
            #expect(try NotesUser("bob").client().outcomes(action) == ["applied"])
        }
    }
}
