import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests the removal of config history older than 180 days, and that later history is unchanged.
@Suite(.database(.migrated)) struct TrimmingTests {
    /// Changes the times of all releases so that they lie a day apart.
    private func age(_ instance: ConfigInstance, daysSinceNewest days: Int = 0) throws {
        try instance.asSuperuser(
            """
            update config_releases set released_at = clock_timestamp()
                - ((select max(revision) from config_releases) - revision + \(days)) * interval '1 day'
            """)
    }

    private func trimAll(_ instance: ConfigInstance) throws {
        while try instance.service.trimHistory() {}
        try instance.service.refresh()
    }

    private func count(_ table: String, _ instance: ConfigInstance) throws -> Int {
        try instance.query("count", "select count(*)::integer as count from \(table)")[0].integer("count")
    }

    @Test func `what happened before 180 days ago goes, and every later state and change is as it was`() throws {
        let instance = try ConfigInstance()
        var (changes, random) = (RandomChanges(), Randomness())
        let note = random.note
        while instance.snapshot.head.revision < 300 { try changes.next(&random).send(to: instance) }
        try age(instance)
        let newest = instance.snapshot.head.revision
        let later = [newest - 179, newest - 90, newest - 1]
        func states() throws -> [String] {
            try later.flatMap { revision in
                try [
                    "/config.json?at=\(revision)", "/config?since=\(revision)&revision=\(newest - 1)",
                    "/releases/\(revision)",
                ].map { try instance.call("GET", $0).body }
            }
                + (1...instance.snapshot.head.version.major).map {
                    try instance.call("GET", "/config?at=\(later[0])&version=\($0)").body
                }
        }
        let before = try states()
        let rows = try (count("config_changes", instance), count("config_releases", instance))
        try trimAll(instance)
        #expect(try count("config_changes", instance) < rows.0 && count("config_releases", instance) < rows.1)
        #expect(try states() == before, "\(note)")

        let oldest = instance.snapshot.head.oldestRevision
        #expect(oldest == newest - 180)
        for path in ["/config?at=\(oldest - 1)", "/releases/\(oldest - 1)/restore"] {
            let method = path.hasSuffix("restore") ? "POST" : "GET"
            #expect(try instance.call(method, path).outcome == "410 revision-not-kept", "\(path)")
        }
        #expect(try instance.call("GET", "/releases/\(oldest - 1)").outcome == "404 release-not-found")
        let full = try instance.call("GET", "/config?since=\(oldest - 1)").expecting(200)
        #expect(try full["Almanac-Full"] == "true" && full.body == instance.call("GET", "/config").body)
        let listed = try #require(try instance.call("GET", "/releases?limit=1000").json.arrayValue)
        #expect(listed.count == 181)
    }

    @Test func `nothing goes within 180 days, however often it is asked`() throws {
        let instance = try ConfigInstance()
        for value in 1...5 { try instance.put("a", "\(value)") }
        try age(instance, daysSinceNewest: 175)
        #expect(try !instance.service.trimHistory())
        #expect(instance.snapshot.head.oldestRevision == 0)
        #expect(try count("config_releases", instance) == 5)
    }

    @Test func `a worker that has not heard of the trimming answers no delta of what is gone`() throws {
        let instance = try ConfigInstance()
        for value in 1...200 { try instance.put("a", "\(value)") }
        try age(instance)
        while try instance.service.trimHistory() {}
        // The worker's snapshot is still from before the trimming.
        #expect(instance.snapshot.head.oldestRevision == 0)
        let answer = try instance.call("GET", "/config?since=1&revision=3").expecting(200)
        #expect(answer["Almanac-Full"] == "true" && answer["Cache-Control"] == "public, no-cache")
        #expect(try instance.call("GET", "/config?at=3").outcome == "410 revision-not-kept")
    }

    @Test func `trimming goes in small steps, and releases are made meanwhile`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "0")
        try instance.asSuperuser(
            """
            insert into config_releases
            select g, 1, 0, g, clock_timestamp() - interval '400 days' + g * interval '1 second', 'change', 'me'
            from generate_series(2, 4000) g;
            insert into config_changes (revision, key, after, from_major)
            select g, 'a', to_jsonb(g), 1 from generate_series(2, 4000) g;
            update config_releases set released_at = clock_timestamp() - interval '500 days' where revision = 1;
            update config_head set revision = 4000, patch = 4000;
            update config_majors set patch = 4000
            """)
        var (steps, left) = (0, try count("config_changes", instance))
        while try instance.service.trimHistory() {
            let now = try count("config_changes", instance)
            #expect(left - now <= 500)
            (steps, left) = (steps + 1, now)
            if steps == 3 { try instance.put("b", "true") }
        }
        #expect(steps >= 8)
        #expect(try count("config_changes", instance) == 2)
    }
}
