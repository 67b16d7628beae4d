import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing
import TextMerge

/// Compares the deltas in an account's events with the server's texts.
@Suite(.database(.migrated)) struct NoteDeltaTests {
    private static let pieces = [
        "a", "b ", "\n", "é", "e\u{301}", "😀", "👩‍👩‍👧", "東", "東京 ", "the cat sat. ",
    ]

    /// The state of a note for a client that only reads events.
    private struct Copy: Equatable {
        var title = ""
        var body = ""
        /// The revision of the note's texts.
        var revision: Int64 = 0
        var isDeleted = false
    }

    @Test func `at random, the deltas in their order make the server's texts`() throws {
        let instance = try EventsInstance()
        var random = Randomness()
        let note = random.note
        let reader = try instance.open(as: "alice")
        var revision: Int64 = 0
        for _ in 0..<TestDepth.runs(quick: 30, standard: 60, long: 600) {
            let actions: [JSONValue] = try (0..<Int.random(in: 1...6, using: &random)).map { _ in
                try action(&random, base: revision, instance)
            }
            let answer = try instance.call("POST", "/notes", "\(JSONValue.array(actions))")
            revision = try #require(answer.objectValue?["revision"]?.numberValue?.int64)
            // Reading regularly keeps the stream from being disconnected for lagging.
            try reader.read()
        }
        var copies: [String: Copy] = [:]
        var last: Int64 = 0
        while last < revision {
            let event = try #require(try reader.next(), "\(note)")
            // The server sends a ping every 20 s, so a slow run contains some.
            guard event.type != "hello", event.type != "ping" else { continue }
            #expect(event.number("revision") == last + 1, "\(note)")
            last = try #require(event.number("revision"))
            try apply(event, to: &copies, instance, note)
        }
        let list = try #require(try instance.call("GET", "/notes").objectValue?["details"]?.objectValue)
        #expect(Set(list.members.map(\.name)) == Set(copies.filter { !$0.value.isDeleted }.keys), "\(note)")
        for (id, value) in list.members {
            let (copy, object) = (try #require(copies[id]), try #require(value.objectValue))
            for (mine, theirs) in [(copy.title, object["title"]), (copy.body, object["body"])] {
                #expect(theirs?.stringValue.map { mine.utf8.elementsEqual($0.utf8) } == true, "\(note) \(id)")
            }
        }
    }

    @Test func `an event holds no delta of a text that was thinned out, nor one against it`() throws {
        let instance = try EventsInstance()
        _ = try instance.call("POST", "/notes", #"[["createNote", {"id": "n1", "body": "milk"}]]"#)
        for base in 1...3 {
            let action = #"["updateNote", {"id": "n1", "base": \#(base), "body": [\#(3 + base), "!"]}]"#
            _ = try instance.call("POST", "/notes", "[\(action)]")
        }
        try instance.asSuperuser("update note_revisions set body = null, body_thinned = true where revision = 2")
        let cursor = try #require(try instance.call("GET", "/notes").objectValue?["cursor"]?.stringValue)
        let lineage = try #require(cursor.split(separator: ".").last)
        let reader = try instance.open(as: "alice", last: "config=0.0000,notes=1.\(lineage)")
        var deltas: [Int64: Bool] = [:]
        while deltas.count < 3 {
            let event = try #require(try reader.next())
            if let revision = event.number("revision"), event.type == "noteUpdated" {
                deltas[revision] = event.data["body"] != nil
            }
        }
        #expect(deltas == [2: false, 3: false, 4: true])
    }

    @Test func `an event says how tags and pin were changed, and of nothing that was not`() throws {
        let instance = try EventsInstance()
        let reader = try instance.open(as: "alice")
        _ = try instance.call(
            "POST", "/notes",
            """
            [["createNote", {"id": "n1", "body": "milk"}],
             ["createNote", {"id": "n2", "tags": ["to do", "Straße"], "pinned": true}],
             ["updateNote", {"id": "n2", "base": 2, "body": ["b"]}],
             ["updateNote", {"id": "n2", "tags": {"add": ["🛒", "to do"], "remove": ["Straße"]}}],
             ["updateNote", {"id": "n2", "pinned": false}], ["updateNote", {"id": "n2", "tags": {"add": ["🛒"]}}],
             ["updateNote", {"id": "n1", "base": 1, "body": [4, "!"], "tags": {"add": ["work"]}}], ["deleteNote", "n1"],
             ["updateNote", {"id": "n1", "tags": {"remove": ["work"]}}], ["moveNote", {"id": "n1", "after": "n2"}],
             ["updateNote", {"id": "n1", "base": 7, "body": [5, "!"]}]]
            """)
        var found: [String] = []
        while found.count < 11 {
            let event = try #require(try reader.next(), "\(found)")
            guard event.type.hasPrefix("note") else { continue }
            let members = ["body", "tags", "pinned", "deleted", "restored"].compactMap { name in
                event.data[name].map { "\(name) \($0)" }
            }
            found.append(([event.type] + members).joined(separator: " "))
        }
        #expect(
            found == [
                #"noteCreated body ["milk"]"#, #"noteCreated body [] tags ["Straße","to do"] pinned true"#,
                #"noteUpdated body ["b"]"#, #"noteUpdated tags ["to do","🛒"]"#, "noteUpdated pinned false",
                "noteUpdated", #"noteUpdated body [4,"!"] tags ["work"]"#, "noteDeleted",
                "noteUpdated tags [] deleted true", "notesReordered", #"noteUpdated body [5,"!"] restored true"#,
            ])
    }

    @Test func `a reader from before the actions that were trimmed is told to read anew`() throws {
        let instance = try EventsInstance()
        _ = try instance.call("POST", "/notes", #"[["createNote", {"id": "n1"}], ["createNote", {"id": "n2"}]]"#)
        _ = try instance.call("POST", "/notes", #"[["deleteNote", "n2"]]"#)
        let cursor = try #require(try instance.call("GET", "/notes").objectValue?["cursor"]?.stringValue)
        let lineage = try #require(cursor.split(separator: ".").last)
        try instance.asSuperuser("update accounts set trimmed_revision = 2")
        for (revision, isKept) in [(1, false), (2, true)] {
            let reader = try instance.open(as: "alice", last: "config=0.0000,notes=\(revision).\(lineage)")
            var types: Set<String> = []
            while types.isDisjoint(with: ["resync", "noteDeleted"]) {
                types.insert(try #require(try reader.next()).type)
            }
            #expect(types.contains("noteDeleted") == isKept)
        }
    }

    /// Applies an event to the copies. Texts that the event omits are read from the server.
    private func apply(
        _ event: SentEvent, to copies: inout [String: Copy], _ instance: EventsInstance, _ note: String
    ) throws {
        let id = try #require(event.text("id"))
        let revision = try #require(event.number("revision"))
        var copy = copies[id] ?? Copy()
        switch event.type {
        case "noteDeleted": copy.isDeleted = true
        case "noteCreated", "noteUpdated":
            copy.isDeleted = event.data["deleted"] != nil
            if event.data["title"] != nil || event.data["body"] != nil {
                // The delta must be based on the text that the client has.
                #expect((event.number("base") ?? 0) == copy.revision, "\(note) \(event)")
                if let title = event.data["title"] { copy.title = try EventsTests.apply(title, to: copy.title) }
                if let body = event.data["body"] { copy.body = try EventsTests.apply(body, to: copy.body) }
                copy.revision = revision
            } else {
                let past = try #require(
                    try? instance.call("GET", "/notes/\(id)?revision=\(revision)").objectValue, "\(event)")
                let isNew = past["title"]?.stringValue != copy.title || past["body"]?.stringValue != copy.body
                copy.title = try #require(past["title"]?.stringValue)
                copy.body = try #require(past["body"]?.stringValue)
                if isNew { copy.revision = revision }
            }
        default: #expect(event.type == "notesReordered", "\(note)")
        }
        copies[id] = copy
    }

    private func action(_ random: inout Randomness, base: Int64, _ instance: EventsInstance) throws -> JSONValue {
        let base = JSONValue.number(JSONNumber(base))
        let name = "n\(Int.random(in: 0..<5, using: &random))"
        let id = JSONValue.string(name)
        let words = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }
            .joined()
        let text = JSONValue.string(words)
        let old = (try? instance.call("GET", "/notes/\(name)"))?.objectValue
        let body = Self.elements(Delta.between(old?["body"]?.stringValue ?? "", words))
        let title = Self.elements(Delta.between(old?["title"]?.stringValue ?? "", String(words.prefix(9))))
        let tags: JSONValue = ["add": [id], "remove": ["to do"]]
        switch Int.random(in: 0..<13, using: &random) {
        case 0..<3: return ["createNote", ["id": id, "body": text]]
        case 3..<7: return ["updateNote", ["id": id, "base": base, "body": body]]
        case 7: return ["updateNote", ["id": id, "base": base, "title": title, "body": body]]
        case 8: return ["moveNote", ["id": id, "after": .null]]
        case 9: return ["deleteNote", ["id": id]]
        case 10: return ["restoreNote", ["id": id]]
        case 11: return ["updateNote", ["id": id, "tags": tags]]
        default: return ["restoreNote", ["id": id, "revision": 1]]
        }
    }

    private static func elements(_ delta: Delta) -> JSONValue {
        .array(
            delta.elements.map { element in
                switch element {
                case .integer(let length): .number(JSONNumber(Int64(length)))
                case .text(let text): .string(text)
                case .pair, .other: .null
                }
            })
    }
}
