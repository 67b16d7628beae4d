import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct SnapshotTests {
    @Test func `a snapshot brought up to date equals one loaded afresh`() throws {
        var random = Randomness()
        let instance = try ConfigInstance()
        let lagging = try SnapshotStore(pool: instance.pool)
        var changes = RandomChanges()
        for _ in 0..<TestDepth.runs(quick: 75, standard: 150, long: 400) {
            try change(instance, &changes, &random)
            let fresh = try SnapshotStore(pool: instance.pool).current.snapshot
            try #require(instance.snapshot.differences(from: fresh) == [], "\(random.note)")
            // The other worker refreshes only occasionally.
            if Int.random(in: 0..<3, using: &random) == 0 {
                try lagging.refresh()
                try #require(lagging.current.snapshot.differences(from: fresh) == [], "\(random.note)")
            }
            try expectDeltas(of: instance.snapshot, &random)
        }
    }

    /// Makes a random release, or occasionally a purge or the retirement of a major.
    private func change(_ instance: ConfigInstance, _ changes: inout RandomChanges, _ random: inout Randomness) throws {
        switch Int.random(in: 0..<25, using: &random) {
        case 0:
            let key = RandomChanges.keys.randomElement(using: &random)!
            try instance.call("DELETE", "/config/\(key)?purge=true").expecting(200, 404)
        case 1:
            let major = instance.snapshot.majors.keys.sorted().randomElement(using: &random) ?? 1
            try instance.call("DELETE", "/majors/\(major)").expecting(200, 404, 409, 410)
        default: try changes.next(&random).send(to: instance)
        }
    }

    private func expectDeltas(of snapshot: Snapshot, _ random: inout Randomness) throws {
        for pin in snapshot.pins {
            let view = snapshot.view(of: pin)
            for _ in 0..<4 {
                let revision = Int64.random(in: 0...snapshot.head.revision + 1, using: &random)
                let naive = snapshot.naivelyChanged(for: pin) { $0.revision > revision }
                try #require(view.changed(after: revision).map(\.summary) == naive, "\(random.note) after \(revision)")
                let time = snapshot.entries.randomElement(using: &random)?.updatedAt ?? .earliest
                for time in [time, Timestamp(milliseconds: time.milliseconds - 1), .earliest, .latest] {
                    let naive = snapshot.naivelyChanged(for: pin) { $0.updatedAt > time }
                    try #require(view.changed(after: time).map(\.summary) == naive, "\(random.note) after \(time)")
                }
            }
            for entry in view.live { #expect(view.entry(entry.key)?.id == entry.id) }
            #expect(view.entry("never") == nil && view.entry("") == nil && view.entry("zzz") == nil)
        }
    }

    @Test func `times and revisions rise together, and every release has its own of both`() throws {
        var random = Randomness()
        let instance = try ConfigInstance()
        var changes = RandomChanges()
        for _ in 0..<40 { try changes.next(&random).send(to: instance) }
        let rows = try instance.query(
            "test_releases", "select revision, released_at from config_releases order by revision")
        let revisions = try rows.map { try $0.bigint("revision") }
        let times = try rows.map { try $0.timestamp("released_at") }
        #expect(revisions == Array(1...instance.snapshot.head.revision))
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a time lies after the one before although the clock was set back`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.asSuperuser("update config_head set updated_at = '2999-01-01Z'")
        try instance.put("a", "2")
        try instance.put("a", "3")
        #expect("\(instance.snapshot.head.updatedAt)" == "2999-01-01T00:00:00.002Z")
        #expect(try instance.call("GET", "/config/2999-01-01T00:00:00.001Z").entries == "a=3")
    }

    @Test func `a history of another lineage is loaded anew`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":1}"#)
        try instance.asSuperuser(
            "delete from config_entries where key = 'b'; update config_head set lineage = 'restored'")
        try instance.service.refresh()
        #expect(instance.snapshot.head.lineage == "restored")
        #expect(try instance.call("GET", "/config").entries == "a=1")
    }
}
