import AlmanacEnvironments
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests the history of tags and pins, and its limits.
@Suite(.database(.migrated)) struct TagHistoryTests {
    private func execute(_ script: String, _ instance: NotesInstance) throws {
        try Connection(instance.database.settings).execute(script: script)
    }

    private func sums(_ instance: NotesInstance) throws -> (counted: Int64, summed: Int64) {
        let row = try instance.query(
            "sums",
            """
            select a.history_bytes, coalesce(sum(note_history_bytes(r.title, r.body, r.tags)), 0)::bigint as summed
            from accounts a left join note_revisions r on r.account_id = a.id group by a.id
            """)[0]
        return (try row.bigint("history_bytes"), try row.bigint("summed"))
    }

    /// Returns the versions in short form, the newest first: `7 work pinned`, or `7 ?` if the tags are no longer
    /// stored.
    private func versions(_ instance: NotesInstance) throws -> [String] {
        let history = try instance.call("GET", "/notes/n1/history?limit=1000").expecting(200)
        return try #require(history[member: "history"]?.arrayValue).compactMap(\.objectValue).map { version in
            let tags = version["tags"]?.arrayValue?.compactMap(\.stringValue).joined(separator: ",") ?? "?"
            return "\(version.number("revision") ?? 0) \(tags)" + (version["thinned"] == nil ? "" : " thinned")
        }
    }

    private func tag(_ tags: [String], without removed: [String], _ instance: NotesInstance) throws {
        let change: JSONValue = [
            "add": .array(tags.map { .string($0) }), "remove": .array(removed.map { .string($0) }),
        ]
        let action: JSONValue = [["updateNote", ["id": "n1", "tags": change]]]
        #expect(try instance.act("\(action)").map(\.outcome) == ["applied"])
    }

    @Test func `tags that change again and again don't take more than the history may have`() throws {
        var limits = Limits()
        limits.historyBytes = 100_000
        let instance = try NotesInstance(limits: limits)
        try instance.act(#"[["createNote", {"id": "n1", "body": "milk", "tags": ["first"]}]]"#)
        // Each version's tags have eight kilobytes.
        let long = (0..<31).map { "\($0) " + String(repeating: "🛒", count: 60) }
        try tag(long, without: ["first"], instance)
        for round in 0..<60 { try tag(["t\(round)"], without: ["t\(round - 1)"], instance) }
        let (counted, summed) = try sums(instance)
        #expect(counted == summed && summed < 130_000)
        let versions = try versions(instance)
        #expect(versions.count == 62 && versions.filter { $0.contains("thinned") }.count > 40)
        #expect(versions[0].hasSuffix("t59") && versions.contains { $0.hasSuffix("? thinned") })
        #expect(try instance.body("n1") == "milk")
        // A text stays stored when its tags are thinned out.
        let first = try instance.call("GET", "/notes/n1?revision=1").expecting(200)
        #expect(first[member: "body"] == .some("milk") && first[member: "tags"] == nil)
    }

    @Test func `what a note was filed under when somebody went back to a text is kept`() throws {
        var limits = Limits()
        limits.historyBytes = 60_000
        let instance = try NotesInstance(limits: limits)
        try instance.act(
            """
            [["createNote", {"id": "n1", "body": "one", "tags": ["kept"]}],
             ["updateNote", {"id": "n1", "base": 1, "body": [3, " two"]}], ["restoreNote", {"id": "n1", "revision": 1}]]
            """)
        for round in 0..<120 { try tag(["t\(round)"], without: ["t\(round - 1)", "kept"], instance) }
        let restored = try instance.call("GET", "/notes/n1?revision=3").expecting(200)
        #expect(restored[member: "body"] == .some("one") && restored[member: "tags"] == ["kept"])
        #expect(try versions(instance).contains { $0.contains("thinned") })
        let (counted, summed) = try sums(instance)
        #expect(counted == summed)
    }

    @Test func `after 180 days tags that were written are still known`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "body": "one"}], ["updateNote", {"id": "n1", "tags": {"add": ["work"]}}],
             ["moveNote", {"id": "n1", "after": null}], ["createNote", {"id": "n2"}],
             ["moveNote", {"id": "n1", "after": "n2"}], ["updateNote", {"id": "n1", "base": 2, "body": [3, " two"]}]]
            """)
        try execute("update note_revisions set recorded_at = clock_timestamp() - interval '181 days'", instance)
        var place = TrimProgress()
        while try instance.service.trimHistory(&place) {}
        #expect(
            try versions(instance) == ["6 work", "2 work", "1 "] || versions(instance) == ["5 work", "2 work", "1 "])
        // The first row of a run of thinned tags stays, because it marks where the unknown tags start.
        try execute(
            """
            insert into note_revisions (account_id, note_id, revision, action, tags_thinned, recorded_at)
            select account_id, 'n1', 100 + i, 'updateNote', true, clock_timestamp() - interval '181 days'
            from notes, generate_series(1, 3) as i where id = 'n1';
            update accounts set revision = 200
            """, instance)
        while try instance.service.trimHistory(&place) {}
        #expect(try versions(instance).filter { $0.contains("?") } == ["101 ? thinned"])
    }
}
