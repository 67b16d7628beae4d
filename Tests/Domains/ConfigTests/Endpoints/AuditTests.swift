import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct AuditTests {
    private let instance: ConfigInstance

    init() throws { instance = try ConfigInstance() }

    private func log() throws -> [String] {
        try instance.query(
            "test_audit",
            """
            select concat_ws(' ', action, author, subject, details ->> 'revision', details ->> 'version') as line
            from audit_log where action like 'config.%' order by id
            """
        ).map { try $0.text("line") }
    }

    @Test func `every release leaves a line with its author, and what is no release leaves none`() throws {
        try instance.put("a", #""secret""#)
        try instance.put("a", #""secret""#)
        _ = try instance.call("PUT", "/config/a", #"{"value": "public"}"#, as: .configWrite)
        try instance.put("b", "1")
        try instance.put("a", "1")
        _ = try instance.call("POST", "/releases/1/restore").expecting(200)
        _ = try instance.call("DELETE", "/config/b?purge=true").expecting(404, 200)
        _ = try instance.call("DELETE", "/majors/1").expecting(200)
        _ = try instance.call("PUT", "/config/a", "{", as: .configWrite).expecting(400)
        #expect(
            try log() == [
                "config.change test admin  1 1.0.0", "config.change test config:write  2 1.0.1",
                "config.change test admin  3 1.1.0", "config.change test admin  4 2.0.0",
                "config.restore test admin 1 5 3.0.0", "config.purge test admin b 6 3.0.1",
                "config.retire test admin 1 7 3.0.2",
            ])
        let dump = try instance.query("test_dump", "select string_agg(t::text, ' ') as text from audit_log t")
        #expect(try !dump[0].text("text").contains("secret"))
    }

    @Test func `releases, and values of a key, are found by author and time`() throws {
        try instance.put("a", "1")
        _ = try instance.call("PUT", "/config/a", #"{"value": 2}"#, as: .configWrite)
        try instance.put("b", "1")
        try instance.asSuperuser(
            """
            update config_releases set released_at = '2001-01-01T00:00:00Z' where revision = 1;
            update config_releases set released_at = '2002-01-01T00:00:00Z' where revision = 2;
            update config_releases set released_at = '2003-01-01T00:00:00Z' where revision = 3;
            """)
        func revisions(_ path: String) throws -> [Int64] {
            try #require(try instance.call("GET", path).expecting(200).json.arrayValue)
                .compactMap { $0.objectValue?["revision"]?.numberValue?.int64 }
        }
        #expect(try revisions("/releases?author=test%20admin") == [3, 1])
        #expect(try revisions("/releases?author=test+config:write") == [2])
        #expect(try revisions("/releases?author=nobody") == [])
        #expect(try revisions("/releases?since=2002-01-01T00:00:00Z") == [3, 2])
        #expect(try revisions("/releases?until=2002-01-01T00:00:00Z") == [1])
        #expect(try revisions("/releases?since=2001-06-01T00:00:00Z&until=2002-06-01T00:00:00Z") == [2])
        #expect(try revisions("/releases?author=test%20admin&limit=1") == [3])
        #expect(try revisions("/releases?author=test%20admin&before=3") == [1])
        #expect(try revisions("/config/a/history?author=test%20admin") == [1])
        #expect(try revisions("/config/a/history?since=2002-01-01T00:00:00Z") == [2])
        // An empty result for a known key differs from a key that never existed.
        #expect(try revisions("/config/a/history?until=2000-01-01T00:00:00Z") == [])
        #expect(try instance.call("GET", "/config/c/history?author=x").outcome == "404 entry-not-found")
        for wrong in ["since=43", "until=tomorrow", "since=", "before=0"] {
            #expect(try instance.call("GET", "/releases?\(wrong)").outcome == "400 invalid-parameter", "\(wrong)")
        }
    }
}
