import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacRevisions
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct StatusTests {
    @Test func `it says how the environment is, to those who read its config with a token`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":2}"#)
        try instance.delete("a")
        let answer = try instance.call("GET", "/status", as: .configRead).expecting(200)
        #expect(
            try answer.json.objectValue?.members.map(\.name) == [
                "version", "started_at", "revision", "config_version", "lineage", "entries", "limits", "database",
                "backup_age_seconds", "stale",
            ])
        #expect(answer[member: "version"] == .some(.string(AlmanacVersion.current)))
        #expect(answer[member: "started_at"]?.stringValue.flatMap { Timestamp($0) } != nil)
        #expect(answer[member: "revision"] == .some(2) && answer[member: "config_version"] == .some("2.0.0"))
        #expect(answer[member: "lineage"] == .some(.string(instance.snapshot.head.lineage)))
        #expect(answer[member: "entries"] == .some(1) && answer[member: "stale"] == .some(false))
        #expect(answer[member: "limits"]?.objectValue?["value_bytes"] == .some(262_144))
        #expect(answer[member: "limits"]?.objectValue?["flag_set_bytes"] == .some(3_145_728))
        let database = try #require(answer[member: "database"]?.objectValue)
        #expect(database["reachable"] == .some(true) && database["is_standby"] == .some(false))
        #expect(database["server_version"]?.stringValue?.hasPrefix("15") == true)
        #expect(database["milliseconds"]?.numberValue?.int64 != nil)
        #expect(try #require(database["bytes"]?.numberValue?.int64) > 1_000_000)
        let migrations = try instance.query(
            "test_newest", "select max(number)::bigint as number from almanac_migrations")
        #expect(database["schema"]?.numberValue?.int64 == (try migrations.first?.bigint("number")))
        #expect(try #require(answer[member: "backup_age_seconds"]?.numberValue?.int64) >= 0)
        #expect(answer["Cache-Control"] == "no-store")
        #expect(try instance.call("GET", "/status", as: nil).outcome == "401 token-needed")
        #expect(try instance.call("GET", "/status?x=1").outcome == "400 invalid-parameter")
    }

    @Test func `while the database is away it says so, and no forecast is made from what may be old`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let name = instance.database.name
        try Connection(TestCluster.settings).execute(
            script: """
                alter database \(name) with allow_connections false;
                select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '\(name)';
                """)
        let answer = try instance.call("GET", "/status").expecting(200)
        let database = try #require(answer[member: "database"]?.objectValue)
        #expect(database.members.map(\.name) == ["reachable", "milliseconds"])
        #expect(database["reachable"] == .some(false) && answer[member: "backup_age_seconds"] == .some(.null))
        #expect(answer[member: "revision"] == .some(1))
        #expect(throws: PostgresFailure.self) { try instance.call("PATCH", "/config?dry_run=true", #"{"a":2}"#) }
        #expect(throws: PostgresFailure.self) { try instance.call("POST", "/releases/1/restore?dry_run=true") }
        #expect(try instance.call("GET", "/config?form=summary&q=a").status == 200)
    }
}
