import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct MajorTests {
    /// Creates majors 1 to 3: `gone` was removed in 2, `retyped` became a text in 3, `live` is a number in all.
    private func instance() throws -> ConfigInstance {
        let instance = try ConfigInstance()
        try instance.patch(#"{"gone":1,"retyped":1,"live":1}"#)
        try instance.delete("gone")
        try instance.put("retyped", "\"x\"")
        try instance.patch(#"{"live":2,"added":true}"#)
        return instance
    }

    @Test func `a pinned client sees its major, with live values of what did not break`() throws {
        let instance = try instance()
        for (version, expected) in [
            ("", #"added=true live=2 retyped="x""#), ("?version=1", "added=true gone=1 live=2 retyped=1"),
            ("?version=1.0", "added=true gone=1 live=2 retyped=1"),
            ("?version=1.0.0", "added=true gone=1 live=2 retyped=1"),
            ("?version=2", "added=true live=2 retyped=1"), ("?version=3", #"added=true live=2 retyped="x""#),
            ("?version=3.1", #"added=true live=2 retyped="x""#),
        ] {
            let answer = try instance.call("GET", "/config\(version)", as: nil)
            #expect(try answer.entries == expected, "\(version)")
            #expect(answer["Almanac-Version"] == "3.1.0")
            let major = version.split(separator: "=").last?.prefix(1).description
            #expect(answer["Almanac-Major"] == major, "\(version)")
        }
        for version in ["9.0", "4", "3.2", "3.1.1", "1.1", "1.0.1", "0"] {
            let answer = try instance.call("GET", "/config?version=\(version)", as: nil)
            #expect(answer.outcome == "404 version-not-released", "\(version)")
            #expect(answer["Almanac-Version"] == "3.1.0")
        }
    }

    @Test func `a slip of type costs older builds no later value`() throws {
        let instance = try ConfigInstance()
        try instance.put("k", "\"a\"")
        try instance.put("k", "5")
        #expect(try instance.call("GET", "/config?version=1").entries == #"k="a""#)
        #expect(try instance.call("GET", "/majors").json.arrayValue?[0].objectValue?["keeps"] == .some(["k"]))
        try instance.call("POST", "/releases/1/restore").expecting(200)
        #expect(try instance.call("GET", "/majors").json.arrayValue?[0].objectValue?["keeps"] == .some([]))
        try instance.put("k", "\"b\"")
        #expect(try instance.call("GET", "/config?version=1").entries == #"k="b""#)
        #expect(try instance.call("GET", "/config?version=1&since=1").entries == #"k="b""#)
        #expect(try instance.call("GET", "/config?version=2").entries == "k=5")
        #expect(try instance.call("GET", "/config?version=2&since=2").entries == "")
        for (revision, value) in [(1, #"k="a""#), (2, #"k="a""#), (3, #"k="a""#), (4, #"k="b""#)] {
            #expect(try instance.call("GET", "/config?version=1&at=\(revision)").entries == value, "\(revision)")
        }
        #expect(try instance.call("GET", "/config?version=2&at=4").entries == "k=5")
        #expect(try instance.call("GET", "/config?version=1&since=1&revision=4").entries == #"k="b""#)
        #expect(try instance.call("GET", "/config?version=2&since=2&revision=4").entries == "")
    }

    @Test func `keys that an earlier version of the server kept from older majors reach them with their next change`()
        throws
    {
        let database = try instance().database
        try ConfigInstance("first", on: database).asSuperuser(
            """
            update config_entries set majors = '[3,)' where key = 'added';
            update config_changes set from_major = 3, majors = null where key = 'added';
            update config_changes set majors = null;
            """)
        let instance = try ConfigInstance("other", on: database)
        let lacks = try instance.call("GET", "/majors").json.arrayValue?.map { $0.objectValue?["lacks"] }
        let added: JSONValue = [["key": "added", "reason": "its next change reaches this major"]]
        #expect(lacks == [added, added, []])
        #expect(try instance.call("GET", "/config?version=1&at=4").entries == "gone=1 live=2 retyped=1")
        try instance.put("added", "false")
        #expect(try instance.call("GET", "/config?version=1").entries == "added=false gone=1 live=2 retyped=1")
        #expect(try instance.call("GET", "/config?version=2&since=4").entries == "added=false")
        #expect(try instance.call("GET", "/config?version=1&at=4").entries == "gone=1 live=2 retyped=1")
        #expect(try instance.call("GET", "/config?version=3").entries == #"added=false live=2 retyped="x""#)
    }

    @Test func `the list shows what each major keeps alive and when it was last asked for`() throws {
        let instance = try instance()
        let before = try instance.call("GET", "/majors", as: .configRead).json
        #expect(
            before
                == [
                    .major(1, "1.0.0", released: 1, keeps: ["gone", "retyped"]),
                    .major(2, "2.0.0", released: 2, keeps: ["retyped"]),
                    .major(3, "3.1.0", released: 3, isCurrent: true, keeps: []),
                ])
        try instance.call("GET", "/config?version=1", as: nil).expecting(200)
        try instance.call("GET", "/config/live?version=3.0", as: nil).expecting(200)
        let majors = try #require(try instance.call("GET", "/majors").json.arrayValue)
        let asked = majors.map { $0.objectValue?["last_asked_at"]?.stringValue.flatMap { Timestamp($0) } }
        let first = try #require(asked[0])
        #expect(asked[1] == nil && asked[2] != nil)
        try instance.call("GET", "/config?version=1", as: nil, ("If-None-Match", "*")).expecting(304)
        let later = try instance.call("GET", "/majors").json.arrayValue?[0].objectValue?["last_asked_at"]?.stringValue
        #expect(try #require(later.flatMap { Timestamp($0) }) >= first)
    }

    @Test func `a page that shows what an older major sees is no build that asks for it`() throws {
        let instance = try instance()
        let reader = try instance.signIn(.configRead)
        try instance.send("GET", "/config?version=2", with: reader).expecting(200)
        let majors = try #require(try instance.call("GET", "/majors").json.arrayValue)
        #expect(majors.allSatisfy { $0.objectValue?["last_asked_at"] == .null })
    }

    @Test func `uses of a major are written down once, and never moved back`() throws {
        let instance = try instance()
        try instance.call("GET", "/config?version=1", as: nil).expecting(200)
        try instance.asSuperuser("update config_majors set last_asked_at = '2999-01-01Z' where major = 1")
        try instance.service.recordMajorUses()
        try instance.service.recordMajorUses()
        let rows = try instance.query("test_last_asked", "select last_asked_at from config_majors where major = 1")
        #expect(try rows.first?.timestamp("last_asked_at") == Timestamp("2999-01-01T00:00:00Z"))
    }

    @Test func `a retired major is gone, with the values that only it saw`() throws {
        let instance = try instance()
        let answer = try instance.call("DELETE", "/majors/1", as: .admin, ("Almanac-Message", "no build left"))
            .expecting(200)
        #expect(answer.revision == 5 && answer["Almanac-Version"] == "3.1.1")
        #expect(try instance.call("GET", "/config?version=1").outcome == "410 major-retired")
        #expect(try instance.call("GET", "/config?version=1&at=1").outcome == "410 major-retired")
        #expect(try instance.call("GET", "/config?version=2").entries == "added=true live=2 retyped=1")
        #expect(try instance.call("GET", "/config").entries == #"added=true live=2 retyped="x""#)
        #expect(try instance.call("GET", "/releases/5")[member: "kind"] == .some("retire"))
        let rows = try instance.query(
            "test_rows", "select key, majors::text as majors from config_entries order by key, majors")
        #expect(
            try rows.map { try $0.text("key") + $0.text("majors") }
                == ["added[1,)", "gone[2,)", "live[1,)", "retyped[1,3)", "retyped[3,)"])
        let major = try instance.call("GET", "/majors").json.arrayValue?.first?.objectValue
        #expect(major?["retired_at"]?.stringValue != nil && major?["keeps"] == .some([]))
        #expect(try instance.call("DELETE", "/majors/1").outcome == "410 major-retired")
        try instance.call("DELETE", "/majors/2").expecting(200)
        let left = try instance.query(
            "test_count", "select count(*) as rows from config_entries where not upper_inf(majors)")
        #expect(try left.first?.integer("rows") == 0)
        #expect(instance.snapshot.entries.allSatisfy { $0.isNewest })
    }

    @Test func `the newest major cannot be retired`() throws {
        let instance = try instance()
        #expect(try instance.call("DELETE", "/majors/3").outcome == "409 major-in-use")
        #expect(try instance.call("DELETE", "/majors/4").outcome == "404 major-not-found")
        #expect(instance.snapshot.head.revision == 4)
    }

    @Test func `no two rows of a key can be seen by one major`() throws {
        let instance = try instance()
        for majors in ["[1,)", "[1,2)", "[2,4)", "[3,3]", "[1,1]", "[7,8)"] {
            let failure = #expect(throws: PostgresFailure.self) {
                try instance.asSuperuser(
                    """
                    insert into config_entries (key, majors, value, revision, updated_at)
                    values ('retyped', '\(majors)', '1', 9, now())
                    """)
            }
            #expect(failure?.state?.rawValue == "23P01", "\(majors)")
        }
    }
}

extension JSONValue {
    /// Returns an element of the list of majors for a major that no client has requested.
    fileprivate static func major(
        _ number: Int64, _ version: String, released: Int64, isCurrent: Bool = false, keeps: [String]
    ) -> JSONValue {
        [
            "major": .number(JSONNumber(number)), "version": .string(version),
            "released_revision": .number(JSONNumber(released)), "current": .boolean(isCurrent),
            "keeps": .array(keeps.map { .string($0) }), "lacks": [], "last_asked_at": .null, "retired_at": .null,
        ]
    }
}
