import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests a worker on a server whose timeline differs from the lineage's, which is the state after a standby's
/// promotion. Tests/Failover performs real promotions.
@Suite(.database(.migrated)) struct ForkTests {
    /// Changes the database to the state of a promoted standby.
    private func promote(_ instance: ConfigInstance) throws {
        try instance.asSuperuser("update config_head set timeline = '0000000A'")
    }

    /// Changes the database to the state of a promoted standby that lacks all releases of `a` after a revision.
    private func promote(_ instance: ConfigInstance, losingAfter revision: Int64) throws {
        try instance.asSuperuser(
            """
            begin;
            delete from config_changes where revision > \(revision);
            update config_majors set released_revision = \(revision), patch = \(revision - 1);
            delete from config_releases where revision > \(revision);
            update config_entries set value = '\(revision)', revision = \(revision),
                updated_at = (select released_at from config_releases where revision = \(revision));
            update config_head set revision = \(revision), patch = \(revision - 1), timeline = '0000000A',
                updated_at = (select released_at from config_releases where revision = \(revision));
            commit;
            """)
    }

    @Test func `the first write on another timeline renews the lineage, and the next keeps it`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let before = instance.snapshot.head.lineage
        try instance.put("a", "2")
        #expect(instance.snapshot.head.lineage == before)
        try promote(instance)
        let cursor = try #require(try instance.put("a", "3")["Almanac-Cursor"])
        #expect(cursor.hasPrefix("3.") && cursor != "3.\(before)")
        #expect(try instance.put("a", "4")["Almanac-Cursor"] == cursor.replacing("3.", with: "4."))
        let answer = try instance.call("GET", "/config?since=2.\(before)")
        #expect(answer["Almanac-Full"] == "true")
    }

    @Test func `a client of a lost release is sent everything, by every worker`() throws {
        let instance = try ConfigInstance()
        for value in 1...3 { try instance.put("a", "\(value)") }
        let other = try ConfigInstance(on: instance.database)
        let lost = instance.snapshot.cursor
        try promote(instance, losingAfter: 2)
        // Both workers are stale. The writer knows a later revision than the one it creates.
        try instance.put("a", "33")
        for worker in [instance, other] {
            if worker === other { try worker.service.refresh() }
            let answer = try worker.call("GET", "/config?since=\(lost)")
            #expect(answer["Almanac-Full"] == "true")
            #expect(try answer.entries == "a=33")
        }
    }

    @Test func `a worker that has not heard of a new history does not lead a client back to the old one`() throws {
        let instance = try ConfigInstance()
        for value in 1...3 { try instance.put("a", "\(value)") }
        let stale = try ConfigInstance(on: instance.database)
        try promote(instance, losingAfter: 2)
        let now = try #require(try instance.put("a", "33")["Almanac-Cursor"])
        let answer = try stale.call("GET", "/config?since=\(now)")
        #expect(answer["Almanac-Full"] == nil)
        #expect(answer["Almanac-Cursor"] == now)
        let another = try ConfigInstance(on: instance.database)
        try promote(instance)
        let next = try #require(try instance.put("a", "4")["Almanac-Cursor"])
        let read = try another.call("GET", "/config", nil, as: nil, ("Almanac-Min-Revision", next))
        #expect(read["Almanac-Cursor"] == next)
    }

    @Test func `the past is told of one history, never of another under its name`() throws {
        let instance = try ConfigInstance()
        for value in 1...5 { try instance.put("a", "\(value)") }
        let stale = [try ConfigInstance(on: instance.database), try ConfigInstance(on: instance.database)]
        let lineage = stale[0].snapshot.head.lineage
        try promote(instance, losingAfter: 2)
        try instance.put("a", "33")
        try instance.put("a", "44")
        let delta = try stale[0].call("GET", "/config?since=1.\(lineage)&revision=4.\(lineage)")
        #expect(delta["Almanac-Full"] == "true")
        #expect(delta["Cache-Control"]?.contains("immutable") != true)
        #expect(try delta.entries == "a=44")
        let past = try stale[1].call("GET", "/config?at=4.\(lineage)")
        #expect(past.outcome == "404 release-not-found", "\(past.body)")
    }

    @Test func `a write that is refused renews all the same, so that its repetition is not refused for ever`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let before = instance.snapshot.cursor
        try promote(instance)
        let refused = try instance.call("PUT", "/config/a", #"{"value":2}"#, as: .admin, ("If-Match", "\"\(before)\""))
        #expect(refused.outcome == "412 precondition-failed")
        let now = try #require(refused["Almanac-Cursor"])
        #expect(now != before)
        let updated = try instance.call("PUT", "/config/a", #"{"value":2}"#, as: .admin, ("If-Match", "\"\(now)\""))
        #expect(updated.outcome == "200")
    }

    @Test func `of many who write at once one renews the lineage`() throws {
        let instance = try ConfigInstance(connections: 16)
        try instance.put("a", "1")
        let before = instance.snapshot.head.lineage
        for round in 0..<5 {
            try promote(instance)
            let cursors = try concurrently(16) { writer in
                try instance.put("w\(writer)", "\(round)")["Almanac-Cursor"] ?? ""
            }
            let lineages = Set(cursors.map { $0.drop { $0 != "." } })
            #expect(lineages.count == 1, "\(lineages)")
            #expect(Set(cursors).count == 16)
            #expect(lineages.first.map { "\($0)" } != ".\(before)")
        }
    }

    @Test(arguments: ["purge", "retire", "restore"])
    func `every kind of release renews the lineage first`(kind: String) throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", #""text""#)
        let before = instance.snapshot.head.lineage
        try promote(instance)
        switch kind {
        case "purge": try instance.call("DELETE", "/config/a?purge=true").expecting(200)
        case "retire": try instance.call("DELETE", "/majors/1").expecting(200)
        default: try instance.call("POST", "/releases/1/restore").expecting(200)
        }
        #expect(instance.snapshot.head.lineage != before)
        #expect(instance.snapshot.head.revision == 3)
    }
}
