import AlmanacHTTP
import Testing

@testable import AlmanacNotesDomain

/// Tests all refusals of actions, malformed or impossible, with the problem of each.
@Suite struct RefusedActionTests {
    @Test(arguments: [
        (#"["updateNote",{"id":"n1","base":1,"body":[2]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[4]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[5,"x"]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":9,"body":[3]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":0,"body":[3]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[[0,"xyz"],[1,"!"]]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[0,3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":[1.5]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":{"a":1}}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":"=3\t+%00"}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":"=3\t+%zz"}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":-1,"body":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":"1.abcdefgh","body":[3]}]"#, "resync"),
        (#"["updateNote",{"id":"n1","body":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"bodies":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"never","base":1,"body":[3]}]"#, "note-gone"),
        (#"["createNote",{"id":"n1","body":""}]"#, "note-exists"),
        (#"["createNote",{"id":"n 2","body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"","body":""}]"#, "invalid-value"),
        (#"["createNote",{"body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","body":7}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","action_id":"","body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","action_id":7,"body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","after":"never"}]"#, "note-gone"),
        (#"["moveNote",{"id":"n1"}]"#, "invalid-value"),
        (#"["moveNote",{"id":"n1","after":"n1"}]"#, "invalid-value"),
        (#"["moveNote",{"id":"n1","after":"never"}]"#, "note-gone"),
        (#"["moveNote",{"id":"never","after":null}]"#, "note-gone"),
        (#"["deleteNote","never"]"#, "note-gone"),
        (#"["deleteNote",{"id":"n1","base":7}]"#, "delta-mismatch"),
        (#"["restoreNote",{"id":"never"}]"#, "note-gone"),
        (#"["restoreNote","n1"]"#, "invalid-value"),
        (#"["purgeNote",{"id":"never"}]"#, "note-gone"),
        (#"["explodeNote",{"id":"n1"}]"#, "invalid-value"),
        (#"["deleteNote"]"#, "invalid-value"),
        (#"{"action":"updateNote","id":"n1","base":1,"body":[4]}"#, "delta-mismatch"),
        (#"{"action":"explodeNote","id":"n1"}"#, "invalid-value"),
        (#"{"action":7,"id":"n1"}"#, "invalid-value"),
        (#"["deleteNote",{"action":"deleteNote","id":"n1"}]"#, "invalid-value"),
        (#"[1,2]"#, "invalid-value"),
        (#"{"id":"n1"}"#, "invalid-value"),
        (#"null"#, "invalid-value"),
    ])
    func `an action that cannot be done is rejected`(action: String, problem: String) {
        let stored = StoredNotes(.stored(body: "abc"), account: .stored(revision: 1, bytes: 3))
        let refusal = #expect(throws: NotesRefusal.self) { try stored.plan(json: action) }
        #expect(refusal?.problem.kind.rawValue == problem)
    }
}
