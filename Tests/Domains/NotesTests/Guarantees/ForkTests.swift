import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests notes on a server whose timeline differs from the lineage's, which is the state after a standby's promotion.
@Suite(.database(.migrated)) struct ForkTests {
    private func promote(_ instance: NotesInstance) throws {
        _ = try instance.query("test_promote", "update config_head set timeline = '0000000A'")
    }

    private func lineage(_ instance: NotesInstance) throws -> String {
        try instance.query("test_lineage", "select lineage from config_head").single("config_head").text("lineage")
    }

    @Test func `the first action on another timeline renews the lineage, and a device is told`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        let (before, cursor) = (try lineage(instance), try instance.call("GET", "/notes").cursor)
        try promote(instance)
        // A read needs no new lineage, because the existing data is the start of both histories.
        #expect(try instance.call("GET", "/notes?since=\(cursor)").status == 200)
        try instance.create(("n2", "bread"))
        #expect(try lineage(instance) != before)
        #expect(try instance.call("GET", "/notes?since=\(cursor)").outcome == "410 resync")
        let results = try instance.act(#"[["updateNote", {"id": "n1", "base": "\#(cursor)", "body": [4, "!"]}]]"#)
        #expect(results.map(\.outcome) == ["rejected resync"])
        let now = try lineage(instance)
        try instance.create(("n3", "eggs"))
        #expect(try lineage(instance) == now)
    }

    @Test func `a new account's first note and an erasure renew it too`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        var known = [try lineage(instance)]
        try promote(instance)
        try instance.create(("n1", "bread"), as: "bob")
        known.append(try lineage(instance))
        try promote(instance)
        #expect(try instance.call("DELETE", "/account", as: "alice").status == 204)
        known.append(try lineage(instance))
        #expect(Set(known).count == 3)
    }

    @Test func `users who write at once wait for nobody for ever, and one renews the lineage`() throws {
        let instance = try NotesInstance(connections: 16)
        for round in 0..<5 {
            try promote(instance)
            let cursors = try concurrently(16) { index in
                // Each of eight accounts sends two requests at a time.
                let action = #"[["createNote", {"id": "n\#(round)-\#(index)", "body": "milk"}]]"#
                return try instance.call("POST", "/notes", action, as: "user\(index / 2)").expecting(200).cursor
            }
            let lineages = Set(cursors.map { $0.drop { $0 != "." }.dropFirst().prefix(8) })
            #expect(lineages.count == 1, "\(lineages)")
        }
    }
}
