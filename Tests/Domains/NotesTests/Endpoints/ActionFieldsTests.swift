import AlmanacJSON
import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

@Suite struct ActionFieldsTests {
    private func request(_ json: String, flaw: SanitizedArray.Fault? = nil) throws -> ActionRequest {
        ActionRequest(try JSONValue(json: json), flaw: flaw)
    }

    private func action(_ json: String) throws -> Action {
        switch try request(json) {
        case .valid(let action): return action
        case .refused(let refusal, _, _): throw refusal
        }
    }

    @Test func `a new note's texts may be left out, and its place`() throws {
        let action = try action(#"["createNote", {"id": "n1"}]"#)
        #expect(action.id == nil && action.noteID == "n1")
        guard case .create(let text, .last) = action.change else {
            Issue.record("\(action)")
            return
        }
        #expect(text == NoteText(title: "", body: ""))
    }

    @Test(arguments: [("null", Action.Place.first), (#""n5""#, .after("n5"))])
    func `a place is a note's id, or null for the first`(json: String, place: Action.Place) throws {
        guard
            case .create(_, let created) = try action(#"["createNote", {"id": "n1", "after": \#(json)}]"#).change,
            case .move(let moved) = try action(#"["moveNote", {"id": "n1", "after": \#(json)}]"#).change
        else {
            Issue.record("no place in \(json)")
            return
        }
        #expect(created == place && moved == place)
    }

    @Test(arguments: [
        ("43", Cursor(revision: 43, lineage: nil)), (#""43""#, Cursor(revision: 43, lineage: nil)),
        (#""43.k3f9""#, Cursor(revision: 43, lineage: "k3f9")),
    ])
    func `a revision is a number, or a text with its lineage`(json: String, cursor: Cursor) throws {
        guard
            case .update(.revision(let base), nil, _?) = try action(
                #"["updateNote", {"id": "n1", "base": \#(json), "body": [1]}]"#
            ).change,
            case .delete(let seen) = try action(#"["deleteNote", {"id": "n1", "base": \#(json)}]"#).change,
            case .restore(let restored) = try action(#"["restoreNote", {"id": "n1", "revision": \#(json)}]"#).change
        else {
            Issue.record("no revision in \(json)")
            return
        }
        #expect(base == cursor && seen == cursor && restored == cursor)
    }

    @Test func `a deletion, a return and a purge need no more than an id`() throws {
        guard
            case .delete(nil) = try action(#"["deleteNote", "n1"]"#).change,
            case .restore(nil) = try action(#"["restoreNote", {"id": "n1"}]"#).change,
            case .purge = try action(#"["purgeNote", {"id": "n1", "action_id": "p"}]"#).change
        else {
            Issue.record("more was needed")
            return
        }
    }

    @Test func `an object with the name of an action means the same as a pair`() throws {
        for (object, pair) in [
            (#"{"action": "createNote", "id": "n1", "after": null}"#, #"["createNote", {"id": "n1", "after": null}]"#),
            (
                #"{"action_id": "a", "id": "n1", "body": [1], "base": 4, "action": "updateNote"}"#,
                #"["updateNote", {"action_id": "a", "id": "n1", "base": 4, "body": [1]}]"#
            ), (#"{"action": "moveNote", "id": "n1", "after": "n5"}"#, #"["moveNote", {"id": "n1", "after": "n5"}]"#),
            (#"{"action": "deleteNote", "id": "n1"}"#, #"["deleteNote", "n1"]"#),
            (#"{"action": "restoreNote", "id": "n1", "revision": 3}"#, #"["restoreNote", {"id":"n1", "revision": 3}]"#),
            (#"{"action": "purgeNote", "id": "n1"}"#, #"["purgeNote", {"id": "n1"}]"#),
        ] {
            #expect(try "\(action(object))" == "\(action(pair))")
        }
    }

    @Test func `a refused element keeps the ids that can be read`() throws {
        for (json, actionID, noteID) in [
            (#"["updateNote", {"action_id": "a", "id": "n1"}]"#, "a", "n1"),
            (#"["updateNote", {"action_id": "a b", "id": "n1", "body": [1]}]"#, nil, "n1"),
            (#"["updateNote", {"action_id": "a", "id": "n 1", "body": [1]}]"#, "a", nil),
            (#"["explodeNote", {"action_id": "a", "id": "n1"}]"#, nil, nil), ("7", nil, nil),
            (#"{"action": "updateNote", "action_id": "a", "id": "n1"}"#, "a", "n1"),
            (#"{"action": "explodeNote", "action_id": "a", "id": "n1"}"#, nil, nil),
        ] {
            guard case .refused(.invalidAction, let actionID_, let noteID_) = try request(json) else {
                Issue.record("\(json) was taken")
                continue
            }
            #expect(actionID_ == actionID && noteID_ == noteID, "\(json)")
        }
    }

    @Test func `an element that was mended is refused for what was taken out of it`() throws {
        let json = #"["createNote", {"action_id": "a", "id": "n1", "body": "\ufffd"}]"#
        guard
            case .refused(.invalidAction(let detail), "a", "n1") = try request(json, flaw: .nulCharacter),
            case .valid = try request(json)
        else {
            Issue.record("\(json)")
            return
        }
        #expect(detail == "the action contains the character U+0000, which cannot be stored")
    }
}
