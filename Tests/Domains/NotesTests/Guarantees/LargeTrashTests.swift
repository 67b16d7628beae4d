import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct LargeTrashTests {
    @Test func `pages of 10,000 notes in the trash hold each once, while others come and go`() throws {
        let instance = try NotesInstance()
        try instance.create(("first", ""), ("last", ""))
        // Ten notes share each deletion time, as after a bulk change in another system.
        try Connection(instance.database.settings).execute(
            script: """
                insert into notes (account_id, id, title, body, position, created_at, updated_at, revision,
                    text_revision, deleted_at, tags)
                select a.id, 'n' || i, 'Note ' || i, repeat('text ', i % 100), 'b' || lpad(i::text, 6, '0'), now(),
                    '2020-01-01'::timestamptz + i * interval '1 millisecond', 2 + i, 2 + i,
                    '2020-01-01'::timestamptz + (i / 10) * interval '1 second',
                    case when i % 2 = 0 then jsonb_build_object('Straße', 2 + i) else '{}' end
                from accounts a, generate_series(1, 10000) as i;
                update accounts set revision = 10002, notes = 10002,
                    bytes = (select sum(octet_length(title) + octet_length(body)) from notes) + 5000 * 7;
                analyze notes
                """)
        var answer = try instance.call("GET", "/notes?form=trash&limit=700").expecting(200)
        let cursor = answer.cursor
        var found = try answer.order
        var page = 0
        while let next = answer[member: "next"]?.stringValue {
            // The actions delete and restore notes on pages already read and on pages still to come, purge one, and
            // add one.
            try instance.act(
                """
                [["restoreNote", {"id": "\(found[page])"}], ["restoreNote", {"id": "\(found[page + 100])"}],
                 ["deleteNote", "\(found[page + 100])"], ["restoreNote", {"id": "n\(15 + page)"}],
                 ["purgeNote", {"id": "n\(45 + page)"}], ["updateNote", {"id": "n\(75 + page)", "pinned": true}],
                 ["createNote", {"id": "new\(page)"}], ["deleteNote", "new\(page)"]]
                """)
            page += 1
            answer = try instance.call("GET", "/notes?limit=700&next=\(next)").expecting(200)
            #expect(answer.cursor == cursor)
            found += try answer.order
        }
        let (restored, purged) = ((0..<page).map { "n\(15 + $0)" }, (0..<page).map { "n\(45 + $0)" })
        #expect(page == 14 && found.count == Set(found).count)
        #expect(Set(found) == Set((1...10_000).map { "n\($0)" }).subtracting(restored + purged))
        let last = try #require(answer.detail("n2"))
        #expect(last["tags"] == ["Straße"] && last["pinned"] == .some(false) && last.text("deleted_at") != nil)
        #expect(answer.detail("n80")?["pinned"] ?? .some(true) == .some(true))
        // A sync from the pages' cursor must contain these changes.
        let since = try instance.call("GET", "/notes?since=\(cursor)&limit=1000").expecting(200)
        #expect(try Set(since.order).isSuperset(of: restored) && Set(since.deleted).isSuperset(of: purged))
    }
}
