import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct PurgeTests {
    private static let secret = "s3cr3t-needle"

    /// Creates a key with a secret in its value and its description in majors 1 and 2, and another key.
    private func instance() throws -> ConfigInstance {
        let instance = try ConfigInstance()
        try instance.patch(#"{"leak":1,"other":1}"#)
        try instance.call("PUT", "/config/leak", #"{"value":"\#(Self.secret)","description":"\#(Self.secret)"}"#)
            .expecting(200)
        try instance.put("leak", #"{"\#(Self.secret)":true}"#)
        try instance.put("leak", #"{"\#(Self.secret)":false,"m":["\#(Self.secret)"]}"#)
        return instance
    }

    /// Returns the tables with a row that contains the secret.
    private func tablesWithSecret(_ instance: ConfigInstance) throws -> [String] {
        let tables = try instance.query(
            "test_tables",
            "select tablename::text as name from pg_tables where tablename ~ '^(config_|proposal)'"
        )
        #expect(tables.count == 8)
        return try tables.map { try $0.text("name") }.filter { table in
            try !instance.query(
                "test_find_\(table)", "select 1 as one from \(table) t where t::text like $1", .text("%\(Self.secret)%")
            ).isEmpty
        }
    }

    @Test func `a purged value is in no table, no major and no answer`() throws {
        let instance = try instance()
        #expect(try tablesWithSecret(instance).sorted() == ["config_changes", "config_entries"])
        let answer = try instance.call("DELETE", "/config/leak?purge=true").expecting(200)
        #expect(answer["Almanac-Version"] == "4.0.0" && answer.revision == 5)
        #expect(try tablesWithSecret(instance).isEmpty)
        for path in [
            "/config", "/config?version=1", "/config?version=2", "/config?version=3", "/config?at=1", "/config?at=4",
            "/config?at=4&version=2", "/config?since=0&revision=4", "/releases/2", "/releases/3", "/releases/5",
            "/config/leak/history", "/config.json?version=2", "/releases",
        ] {
            let answer = try instance.call("GET", path).expecting(200)
            #expect(!answer.body.contains(Self.secret), "\(path)")
        }
        for version in ["", "?version=1", "?version=2", "?version=3"] {
            #expect(try instance.call("GET", "/config/leak\(version)").outcome == "404 entry-not-found")
            #expect(try instance.call("GET", "/config\(version)").entries == "other=1")
        }
        #expect(try instance.call("GET", "/config?at=4").entries == "other=1")
    }

    @Test func `every client learns that the key is gone, pinned ones too`() throws {
        let instance = try instance()
        try instance.call("DELETE", "/config/leak?purge=true").expecting(200)
        for query in [
            "since=4", "since=4&version=1", "since=4&version=2", "since=4&version=3", "since=4&revision=5&version=1",
        ] {
            #expect(try instance.call("GET", "/config?\(query)").entries == "leak=gone", "\(query)")
        }
        try instance.put("other", "2")
        #expect(try instance.call("GET", "/config?since=4&revision=5&version=1").entries == "leak=gone")
        #expect(try instance.call("GET", "/config?since=4&version=1").entries == "leak=gone other=2")
    }

    @Test func `the history still shows that there was a key, and who purged it`() throws {
        let instance = try instance()
        try instance.call("DELETE", "/config/leak?purge=true", as: .admin, ("Almanac-Message", "leaked")).expecting(200)
        let release = try instance.call("GET", "/releases/5")
        #expect(release[member: "kind"] == .some("purge") && release[member: "message"] == .some("leaked"))
        #expect(release[member: "author"] == .some("test admin"))
        #expect(release[member: "changes"] == .some([["key": "leak", "purged": true]]))
        #expect(try instance.call("GET", "/releases/3")[member: "changes"] == .some([["key": "leak", "purged": true]]))
        let history = try #require(try instance.call("GET", "/config/leak/history").json.arrayValue)
        #expect(history.count == 5)
        #expect(history.allSatisfy { $0.objectValue?["purged"] == .some(true) && $0.objectValue?["value"] == nil })
    }

    @Test func `a key removed long ago is purged without a new major`() throws {
        let instance = try instance()
        try instance.delete("leak")
        #expect(instance.snapshot.head.version.major == 4)
        let answer = try instance.call("DELETE", "/config/leak?purge=true").expecting(200)
        #expect(answer["Almanac-Version"] == "4.0.1")
        #expect(try tablesWithSecret(instance).isEmpty)
        #expect(try instance.call("GET", "/config?since=5&version=2").entries == "leak=gone")
    }

    @Test func `a purged key can be added again, and purged again`() throws {
        let instance = try instance()
        try instance.call("DELETE", "/config/leak?purge=true").expecting(200)
        #expect(try instance.call("POST", "/config", #"{"key":"leak","value":"new"}"#)["Almanac-Version"] == "4.1.0")
        #expect(try instance.call("GET", "/config").entries == #"leak="new" other=1"#)
        #expect(try instance.call("GET", "/config?version=4").entries == #"leak="new" other=1"#)
        #expect(try instance.call("GET", "/config?version=2").entries == #"leak="new" other=1"#)
        #expect(try instance.call("GET", "/config?since=4&version=2").entries == #"leak="new""#)
        #expect(try instance.call("GET", "/config?since=4&version=4").entries == #"leak="new""#)
        #expect(try instance.call("DELETE", "/config/leak?purge=true")["Almanac-Version"] == "5.0.0")
        #expect(try instance.call("DELETE", "/config/leak?purge=true")["Almanac-Version"] == "5.0.1")
        #expect(try instance.call("GET", "/config?since=4").entries == "leak=gone")
        #expect(try instance.call("POST", "/releases/4/restore").expecting(200).revision == 8)
    }
}
