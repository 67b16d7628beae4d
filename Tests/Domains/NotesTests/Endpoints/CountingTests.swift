import AlmanacEnvironments
import AlmanacMetrics
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct CountingTests {
    @Test func `every action is counted once, by what became of it`() throws {
        let actions = Family<Counter>(.notesActions)
        let instance = try NotesInstance(counting: actions)
        func shown() -> [String] {
            var page = Exposition()
            actions.write(to: &page)
            return page.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                String($0).replacing("almanac_notes_actions_total{environment=\"development\",status=", with: "")
            }
        }
        #expect(shown() == [#""applied"} 0"#, #""duplicate"} 0"#, #""merged"} 0"#, #""rejected"} 0"#])
        try instance.act(
            #"""
            [["createNote", {"action_id": "1", "id": "n1", "body": "one two three"}],
             ["createNote", {"action_id": "1", "id": "n1", "body": "one two three"}],
             ["updateNote", {"id": "n1", "base": 1, "body": ["zero ", 13]}],
             ["updateNote", {"id": "n1", "base": 1, "body": [13, " four"]}],
             ["updateNote", {"id": "n1", "base": 1, "body": [99]}], 7]
            """#)
        #expect(shown() == [#""applied"} 2"#, #""duplicate"} 1"#, #""merged"} 1"#, #""rejected"} 2"#])
        // An action whose rejection is the response's own problem counts like one in a batch.
        _ = try instance.call("DELETE", "/notes/gone").expecting(404)
        #expect(shown() == [#""applied"} 2"#, #""duplicate"} 1"#, #""merged"} 1"#, #""rejected"} 3"#])
    }
}
