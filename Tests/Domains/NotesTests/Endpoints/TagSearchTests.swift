import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct TagSearchTests {
    @Test(arguments: [
        ("tag:" + String(repeating: "a", count: 65), NotesRefusal.invalidSearchTag), ("tag:a\u{1}", .invalidSearchTag),
        ("-tag:a\u{1} or milk", .invalidSearchTag),
        ((0..<33).map { "tag:\($0)" }.joined(separator: " "), .tooManySearchTags),
    ])
    func `a tag that no note can have is refused`(text: String, refusal: NotesRefusal) {
        #expect(throws: refusal) { try NotesSearch(text) }
    }

    @Test func `words of tags are none of the words that a search may have`() throws {
        let words = (0..<32).map { "w\($0)" }.joined(separator: " ")
        #expect(try NotesSearch(words + " tag:work tag:\"to do\"").terms.count == 34)
        #expect(throws: NotesRefusal.tooManySearchWords) { try NotesSearch(words + " more") }
    }

    @Test func `a search finds notes by their tags, and by words among them`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "body": "oat milk", "tags": ["work", "to do"]}],
             ["createNote", {"id": "n2", "body": "milk", "tags": ["work"]}],
             ["createNote", {"id": "n3", "body": "milk tag work", "pinned": true}],
             ["createNote", {"id": "n4", "body": "milk", "tags": ["Straße", "Work", "e\u{301}"]}],
             ["createNote", {"id": "n5", "body": "milk", "tags": ["work"]}], ["deleteNote", "n5"]]
            """)
        try instance.act(#"[["createNote", {"id": "n1", "tags": ["work"]}]]"#, as: "bob")
        func found(_ query: String) throws -> [String] {
            try instance.call("GET", "/notes?\(query)").expecting(200).order
        }
        #expect(try found("q=tag:work") == ["n2", "n1"])
        #expect(try found("q=tag:work%20oat") == ["n1"])
        #expect(try found("q=tag:%22to%20do%22") == ["n1"])
        #expect(try found("q=tag:work%20tag:%22to%20do%22%20milk") == ["n1"])
        #expect(try found("tag=work") == ["n2", "n1"])
        #expect(try found("tag=work&tag=to%20do") == ["n1"])
        #expect(try found("q=milk&tag=Stra%C3%9Fe") == ["n4"])
        #expect(try found("q=oat&tag=Stra%C3%9Fe") == [])
        #expect(try found("q=tag:strasse") == [] && found("q=tag:wor") == [] && found("tag=%C3%A9") == [])
        #expect(try found("tag=e%CC%81") == ["n4"])
        #expect(try found("q=work") == ["n4", "n2", "n1", "n3"])
        #expect(try found("q=milk%20-tag:work") == ["n4", "n3"])
        #expect(try found("q=oat%20or%20tag:Work") == ["n1", "n4"])
        #expect(try found("q=oat%20or%20milk&tag=work") == ["n1", "n2"])
        let limited = try instance.call("GET", "/notes?tag=work&limit=1").expecting(200)
        #expect(try limited.order == ["n2"] && limited[member: "more"] == .some(true))
        #expect(try instance.call("GET", "/notes?tag=work", as: "nobody").order == [])
        for query in ["tag=", "tag=a%01", "q=tag:a%01", "tag=work&since=1", "tag=work&form=trash"] {
            #expect(try instance.call("GET", "/notes?\(query)").outcome == "400 invalid-parameter", "\(query)")
            #expect(
                try instance.call("GET", "/notes?\(query)", as: "nobody").outcome == "400 invalid-parameter", "\(query)"
            )
        }
        let tag = try #require(try instance.call("GET", "/notes?tag=work")["ETag"])
        #expect(try instance.call("GET", "/notes?tag=work", nil, as: "alice", ("If-None-Match", tag)).status == 304)
        #expect(try instance.call("GET", "/notes?tag=Work", nil, as: "alice", ("If-None-Match", tag)).status == 200)
    }
}
