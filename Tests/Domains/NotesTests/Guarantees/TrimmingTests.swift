import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests which data is removed after 180 days, and which never is.
@Suite(.database(.migrated)) struct TrimmingTests {
    private static let twoNotes = """
        [["createNote", {"action_id": "old", "id": "n1", "body": "milk"}],
         ["createNote", {"action_id": "young", "id": "n2"}]]
        """

    private func script(_ text: String, _ instance: NotesInstance) throws {
        try Connection(instance.database.settings).execute(script: text)
    }

    private func trimAll(_ instance: NotesInstance) throws {
        var place = TrimProgress()
        while try instance.service.trimHistory(&place) {}
    }

    private func count(_ what: String, _ instance: NotesInstance) throws -> Int {
        try instance.query("count", "select count(*)::integer as count from \(what)")[0].integer("count")
    }

    @Test func `an action is known for 180 days, and its id is let go of after that`() throws {
        let instance = try NotesInstance()
        try instance.act(Self.twoNotes)
        try script(
            """
            update note_actions set recorded_at = clock_timestamp() - interval '181 days' where action_id = 'old';
            update note_actions set recorded_at = clock_timestamp() - interval '179 days' where action_id = 'young';
            """, instance)
        try trimAll(instance)
        let again = try instance.act(Self.twoNotes)
        #expect(again.map(\.outcome) == ["rejected note-exists", "duplicate"])
    }

    @Test func `old actions without a text go, texts stay, and followers of before are told to read anew`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"), ("n2", "bread"))
        try instance.act(
            """
            [["moveNote", {"id": "n1", "after": "n2"}], ["updateNote", {"id": "n1", "base": 3, "body": [4, "!"]}],
             ["deleteNote", "n2"]]
            """
        )
        try script(
            "update note_revisions set recorded_at = clock_timestamp() - interval '181 days' where revision <= 4",
            instance)
        try trimAll(instance)
        let left = try instance.query(
            "left", "select array_agg(revision::text order by revision) as revisions from note_revisions")
        #expect(try left[0].textArray("revisions") == ["1", "2", "4", "5"])
        #expect(
            try instance.query("trimmed", "select trimmed_revision from accounts")[0].bigint("trimmed_revision") == 3)
        // The data for syncing stays complete, and every past text stays readable.
        let delta = try instance.call("GET", "/notes?since=2").expecting(200)
        #expect(try delta.order == ["n1"] && delta.deleted == ["n2"])
        #expect(try instance.call("GET", "/notes/n1?revision=3")[member: "body"] == "milk")
    }

    @Test func `a run of texts that were thinned out leaves the row that tells where it begins`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        try script(
            """
            insert into note_revisions (account_id, note_id, revision, action, body, body_thinned, recorded_at)
            select id, 'n1', g, 'updateNote', case when g in (2, 9) then 'kept' end, g not in (2, 9),
                clock_timestamp() - interval '200 days' from accounts, generate_series(2, 9) g;
            update accounts set revision = 9;
            update notes set revision = 9, text_revision = 9, body = 'kept';
            """, instance)
        try trimAll(instance)
        let left = try instance.query(
            "left", "select array_agg(revision::text order by revision) as revisions from note_revisions")
        #expect(try left[0].textArray("revisions") == ["1", "2", "3", "9"])
        #expect(try instance.call("GET", "/notes/n1?revision=2")[member: "body"] == "kept")
        for revision in 3...8 {
            #expect(try instance.call("GET", "/notes/n1?revision=\(revision)").outcome == "410 revision-not-kept")
        }
    }

    @Test func `trimming goes through large tables in small steps, and waits for no account that is at work`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        try script(
            """
            insert into note_actions (account_id, action_id, note_id, status, revision, restored, recorded_at)
            select id, 'a' || g, 'n1', 'applied', 1, false, clock_timestamp() - g * interval '1 day'
            from accounts, generate_series(0, 359) g;
            insert into note_actions (account_id, action_id, note_id, status, revision, restored, recorded_at)
            select id, 'b' || g, 'n1', 'applied', 1, false, clock_timestamp() - interval '200 days'
            from accounts, generate_series(1, 40000) g;
            insert into note_revisions (account_id, note_id, revision, action, recorded_at)
            select id, 'n1', g, 'moveNote', clock_timestamp() - interval '200 days'
            from accounts, generate_series(2, 9) g;
            """, instance)
        let other = try Connection(instance.database.settings)
        try other.transaction { other in
            try other.execute(script: "select * from accounts for update")
            var place = TrimProgress()
            var steps = 1
            while try instance.service.trimHistory(&place) { steps += 1 }
            #expect(steps > 5)
        }
        #expect(try count("note_actions", instance) == 180)
        #expect(try count("note_revisions where action = 'moveNote'", instance) == 8)
        try trimAll(instance)
        #expect(try count("note_revisions where action = 'moveNote'", instance) == 0)
    }
}
